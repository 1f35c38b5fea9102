// A program that replaces one throwing operator new and its delete gets its own from every form that the
// standard defines over them. Its blocks carry a mark in front: a form that goes past it is noticed, or crashes.
#include "expect.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t in_front = 64;
constexpr unsigned char mark = 0x5a;
int made = 0;
int deleted = 0;
bool fails = false;

void* marked(std::size_t size) {
  if (fails) throw std::bad_alloc();
  auto* const block = static_cast<unsigned char*>(std::aligned_alloc(in_front, in_front + size));
  block[in_front - 1] = mark;
  ++made;
  return block + in_front;
}

void release(void* p) {
  if (p == nullptr) return;
  auto* const object = static_cast<unsigned char*>(p);
  EXPECT(object[-1] == mark);
  ++deleted;
  std::free(object - in_front);
}

}  // namespace

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wsized-deallocation"  // not to define them is what is tested
#endif

void* operator new(std::size_t size) {
  return marked(size);
}
void operator delete(void* block) noexcept {
  release(block);
}
void* operator new(std::size_t size, std::align_val_t) {
  return marked(size);
}
void operator delete(void* block, std::align_val_t) noexcept {
  release(block);
}

int main() {
  expect_drop_in();
  constexpr std::align_val_t boundary{64};
  constexpr std::size_t size = 40;
  made = deleted = 0;
  ::operator delete(::operator new(size), size);
  ::operator delete(::operator new(size, std::nothrow), std::nothrow);
  ::operator delete[](::operator new[](size));
  ::operator delete[](::operator new[](size), size);
  ::operator delete[](::operator new[](size, std::nothrow), std::nothrow);
  EXPECT(made == 5 && deleted == 5);
  ::operator delete(::operator new(size, boundary), size, boundary);
  ::operator delete(::operator new(size, boundary, std::nothrow), boundary, std::nothrow);
  ::operator delete[](::operator new[](size, boundary), boundary);
  ::operator delete[](::operator new[](size, boundary), size, boundary);
  ::operator delete[](::operator new[](size, boundary, std::nothrow), boundary, std::nothrow);
  EXPECT(made == 10 && deleted == 10);
  fails = true;
  EXPECT(::operator new(size, std::nothrow) == nullptr);
  EXPECT(::operator new[](size, boundary, std::nothrow) == nullptr);
  fails = false;
  return expect_status();
}
