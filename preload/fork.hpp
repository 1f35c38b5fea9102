/// The heap's hooks around every fork, so that no child inherits a lock whose holder it does not have.
/// Included once, by drop_in.hpp.
///
/// Handlers registered first run last before a fork and first after it. Ours must be first of all: between
/// the two no other thread gets memory, and a later handler of somebody else could wait for such a thread.
/// Drop-ins are therefore linked with -z initfirst, which runs this constructor before those of every other
/// library.
#pragma once

#include "preload/the_heap.hpp"

#include <pthread.h>

namespace strata::drop_in {

[[gnu::constructor]] static void watch_forks() {
  ::pthread_atfork([] { TheHeap::before_fork(); }, [] { TheHeap::after_fork_in_parent(); },
                   [] { TheHeap::after_fork_in_child(); });
}

}  // namespace strata::drop_in
