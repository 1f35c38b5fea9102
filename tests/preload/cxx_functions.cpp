// Every form of operator new and delete, called by name so that no compiler pairs them off, and the
// new-handler's contract.
#include "expect.h"

#include <malloc.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

volatile std::size_t too_much = PTRDIFF_MAX;

constexpr std::size_t sizes[] = {0, 1, 8, 16, 24, 40, 64, 100, 1000, 4096, 70000, 2000000};
constexpr std::align_val_t alignments[] = {
    std::align_val_t{8},   std::align_val_t{16},   std::align_val_t{32},  std::align_val_t{64},
    std::align_val_t{256}, std::align_val_t{1024}, std::align_val_t{4096}};

void* checked(void* block, std::size_t size, std::size_t alignment = 16) {
  EXPECT(block != nullptr);
  EXPECT(aligned_to(block, alignment < 16 ? 16 : alignment));
  EXPECT(malloc_usable_size(block) >= size);
  fill(block, size, 5);
  return block;
}

void test_plain() {
  for (const std::size_t size : sizes) {
    ::operator delete(checked(::operator new(size), size));
    ::operator delete(checked(::operator new(size), size), size);
    ::operator delete(checked(::operator new(size, std::nothrow), size), std::nothrow);
    ::operator delete[](checked(::operator new[](size), size));
    ::operator delete[](checked(::operator new[](size), size), size);
    ::operator delete[](checked(::operator new[](size, std::nothrow), size), std::nothrow);
  }
  ::operator delete(nullptr);
  ::operator delete[](nullptr);
  ::operator delete(nullptr, std::size_t{8});
}

void test_aligned() {
  for (const std::align_val_t boundary : alignments) {
    const auto alignment = static_cast<std::size_t>(boundary);
    for (const std::size_t size : sizes) {
      ::operator delete(checked(::operator new(size, boundary), size, alignment), boundary);
      ::operator delete(checked(::operator new(size, boundary), size, alignment), size, boundary);
      ::operator delete(checked(::operator new(size, boundary, std::nothrow), size, alignment), boundary,
                        std::nothrow);
      ::operator delete[](checked(::operator new[](size, boundary), size, alignment), boundary);
      ::operator delete[](checked(::operator new[](size, boundary), size, alignment), size, boundary);
      ::operator delete[](checked(::operator new[](size, boundary, std::nothrow), size, alignment), boundary,
                          std::nothrow);
    }
  }
  ::operator delete(nullptr, std::align_val_t{64});
}

// Each form with each way to fail.
template <class Form>
int outcome_of(Form form) {
  try {
    return form() == nullptr ? 0 : 1;
  } catch (const std::bad_alloc&) {
    return 2;
  } catch (int thrown) {
    return thrown;
  }
}

template <class Check>
void for_throwing_forms(Check check) {
  check([] { return ::operator new(too_much); });
  check([] { return ::operator new[](too_much); });
  check([] { return ::operator new(too_much, std::align_val_t{64}); });
  check([] { return ::operator new[](too_much, std::align_val_t{64}); });
}

template <class Check>
void for_nothrow_forms(Check check) {
  check([] { return ::operator new(too_much, std::nothrow); });
  check([] { return ::operator new[](too_much, std::nothrow); });
  check([] { return ::operator new(too_much, std::align_val_t{64}, std::nothrow); });
  check([] { return ::operator new[](too_much, std::align_val_t{64}, std::nothrow); });
}

int calls = 0;

void give_up_at_third_call() {
  if (++calls == 3) std::set_new_handler(nullptr);
}
void throw_bad_alloc() {
  throw std::bad_alloc();
}
void throw_something_else() {
  throw 42;
}

void test_failure() {
  std::set_new_handler(nullptr);
  for_throwing_forms([](auto form) { EXPECT(outcome_of(form) == 2); });
  for_nothrow_forms([](auto form) { EXPECT(outcome_of(form) == 0); });

  const auto handled = [](int outcome) {
    return [outcome](auto form) {
      calls = 0;
      std::set_new_handler(give_up_at_third_call);
      EXPECT(outcome_of(form) == outcome);
      EXPECT(calls == 3);
    };
  };
  for_throwing_forms(handled(2));
  for_nothrow_forms(handled(0));

  std::set_new_handler(throw_bad_alloc);
  for_throwing_forms([](auto form) { EXPECT(outcome_of(form) == 2); });
  for_nothrow_forms([](auto form) { EXPECT(outcome_of(form) == 0 && "a nothrow form catches"); });

  std::set_new_handler(throw_something_else);
  for_throwing_forms([](auto form) { EXPECT(outcome_of(form) == 42); });
  std::set_new_handler(nullptr);
}

void test_unwinding() {
  int destroyed = 0;
  struct Counter {
    int& count;
    ~Counter() { ++count; }
  };
  try {
    const Counter first{destroyed};
    const std::vector<std::unique_ptr<std::string>> strings(100);
    std::vector<char> never(static_cast<std::size_t>(too_much));
    EXPECT(never.empty());
  } catch (const std::bad_alloc&) {
    destroyed += 10;
  } catch (const std::length_error&) {
    destroyed += 10;
  }
  EXPECT(destroyed == 11);
}

}  // namespace

int main() {
  expect_drop_in();
  test_plain();
  test_aligned();
  test_failure();
  test_unwinding();
  return expect_status();
}
