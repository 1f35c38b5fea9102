/// Compiles as it is (STRATA_CASE=0); each other case has a layer without a description, wherever that stands.

#include "composition/examples.hpp"
#include "preload/composition/walk.hpp"

namespace strata::composition {

template <class Super>
class Plain : public Super {
 public:
  using Super::Super;
};

template <class Classes, class Bin, std::size_t Most, class Super>
class WithNumbers : public Super {
 public:
  using Super::Super;
};

class Alone {
 public:
  static constexpr std::size_t alignment = 16, alignment_offset = 0;
  void* malloc(std::size_t);
  void free(void*);
  std::size_t usable_size(void*);
};

class Finished : public AnsiWrapper<LeaMedium<{}, MmapHeap>> {};

#if STRATA_CASE == 0
using Case = Finished;
#elif STRATA_CASE == 1
using Case = Plain<Sized>;
#elif STRATA_CASE == 2
using Case = AnsiWrapper<Plain<Sized>>;
#elif STRATA_CASE == 3
using Case = WithNumbers<PowerOfTwoClasses<>, FreelistHeap<NullHeap>, 4, LeaMedium<{}, MmapHeap>>;
#elif STRATA_CASE == 4
using Case = SizeHeap<Alone>;
#endif

Node node() {
  return node_of<Case>();
}

}  // namespace strata::composition
