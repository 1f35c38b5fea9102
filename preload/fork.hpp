/// The heap's hooks around every fork, so that no child inherits a lock whose holder it does not have.
/// Included once, by drop_in.hpp.
///
/// Handlers registered first run last before a fork and first after it. Ours must be first of all: between the two
/// no other thread gets memory, and a later handler of somebody else could wait for such a thread. Drop-ins are
/// therefore linked with -z initfirst, which runs this constructor before those of every other library.
#pragma once

#include "preload/the_heap.hpp"

/// What pthread_atfork calls on behalf of a library, whose handlers it drops once that has been finalised. Ours
/// must stay: others fork from their destructors while threads still allocate. The null says so.
extern "C" int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void* library);

namespace strata::drop_in {

[[gnu::constructor]] static void watch_forks() {
  ::__register_atfork([] { TheHeap::before_fork(); }, [] { TheHeap::after_fork_in_parent(); },
                      [] { TheHeap::after_fork_in_child(); }, nullptr);
}

}  // namespace strata::drop_in
