/// The heap's hooks around every fork, so that no child inherits a lock whose holder it does not have.
/// Included once, by drop_in.hpp.
///
/// Handlers registered first run last before a fork and first after it. Ours must be first of all: between the two
/// no other thread gets memory, and a later handler of somebody else could wait for such a thread. Drop-ins are
/// therefore linked with -z initfirst, which runs this constructor before those of every other library.
///
/// One lock comes after all handlers: fork itself takes that of libc's list of streams, if there are threads. One
/// that flushes all streams holds it while it waits for a stream whose getline waits for memory. So we take it
/// before the heap's; it is recursive, and nobody's in the child.
#pragma once

#include "preload/the_heap.hpp"

#include <strata/platform/threads.hpp>

/// What pthread_atfork calls on behalf of a library, whose handlers it drops once that has been finalised. Ours
/// must stay: others fork from their destructors while threads still allocate. The null says so.
extern "C" int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void* library);

extern "C" void _IO_list_lock();
extern "C" void _IO_list_unlock();
extern "C" void _IO_list_resetlock();

namespace strata::drop_in {

inline void before_fork() {
  if (!single_threaded()) ::_IO_list_lock();
  TheHeap::before_fork();
}

inline void after_fork_in_parent() {
  TheHeap::after_fork_in_parent();
  if (!single_threaded()) ::_IO_list_unlock();
}

inline void after_fork_in_child() {
  TheHeap::after_fork_in_child();
  if (!single_threaded()) ::_IO_list_resetlock();
}

[[gnu::constructor]] static void watch_forks() {
  ::__register_atfork(before_fork, after_fork_in_parent, after_fork_in_child, nullptr);
}

}  // namespace strata::drop_in
