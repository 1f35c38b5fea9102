/// Size-class maps against a model that looks the class up: every small size, and every size near a boundary.

#include <strata/platform/arithmetic.hpp>
#include <strata/policy/size_class_maps.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strata {
namespace {

template <class Classes>
std::vector<std::size_t> sizes_of_all() {
  std::vector<std::size_t> sizes(Classes::count);
  for (std::size_t index = 0; index < Classes::count; ++index) sizes[index] = Classes::size_of(index);
  return sizes;
}

/// The first class that is large enough, `count` if none is.
std::size_t model_class(const std::vector<std::size_t>& sizes, std::size_t size) {
  return static_cast<std::size_t>(std::lower_bound(sizes.begin(), sizes.end(), size) - sizes.begin());
}

template <class Classes>
void expect_as_model(const std::vector<std::size_t>& sizes, std::size_t size) {
  const std::size_t expected = model_class(sizes, size);
  const std::size_t found = Classes::class_of(size);
  ASSERT_EQ(std::min(found, Classes::count), expected) << "for a size of " << size;
}

template <class Classes>
class SizeClassMap : public testing::Test {};

using Maps = testing::Types<PowerOfTwoClasses<1>, PowerOfTwoClasses<10>, PowerOfTwoClasses<29>,
                            PowerOfTwoClasses<60>, SteppedClasses<1>, SteppedClasses<2>, SteppedClasses<4>,
                            SteppedClasses<8>, SteppedClasses<16>, SteppedClasses<4, 3>, SteppedClasses<1, 1>,
                            ClassesFrom<SteppedClasses<16>, 24>, ClassesFrom<PowerOfTwoClasses<29>, 16>,
                            GranuleClasses<24, 64>, GranuleClasses<40, 40>>;
TYPED_TEST_SUITE(SizeClassMap, Maps);

TYPED_TEST(SizeClassMap, SizesGrowAndMapToTheirClass) {
  const auto sizes = sizes_of_all<TypeParam>();
  EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end()));
  EXPECT_EQ(std::adjacent_find(sizes.begin(), sizes.end()), sizes.end());
  for (std::size_t index = 0; index < sizes.size(); ++index) {
    EXPECT_EQ(TypeParam::class_of(sizes[index]), index);
    EXPECT_EQ(sizes[index] % 8, 0U);
  }
}

TYPED_TEST(SizeClassMap, IsTheModelForEverySmallSize) {
  const auto sizes = sizes_of_all<TypeParam>();
  for (std::size_t size = 1; size <= 256 * KiB; ++size) expect_as_model<TypeParam>(sizes, size);
}

TYPED_TEST(SizeClassMap, IsTheModelAroundEveryBoundary) {
  const auto sizes = sizes_of_all<TypeParam>();
  for (const std::size_t boundary : sizes) {
    for (std::size_t size = boundary - 7; size <= boundary + 40; ++size) {
      if (size - 1 < PTRDIFF_MAX) expect_as_model<TypeParam>(sizes, size);
    }
  }
  for (const std::size_t size :
       {std::size_t{PTRDIFF_MAX}, std::size_t{PTRDIFF_MAX} - 8, PTRDIFF_MAX / 2 + std::size_t{1}}) {
    expect_as_model<TypeParam>(sizes, size);
  }
}

TYPED_TEST(SizeClassMap, ClassBelowIsTheLargestThatIsNoLarger) {
  const auto sizes = sizes_of_all<TypeParam>();
  for (std::size_t size = 1; size < 2 * sizes.back() && size <= 256 * KiB; ++size) {
    const auto larger = std::upper_bound(sizes.begin(), sizes.end(), size) - sizes.begin();
    const std::size_t below = class_below<TypeParam>(size);
    if (larger == 0) {
      ASSERT_GE(below, TypeParam::count) << "for a size of " << size;
    } else {
      ASSERT_EQ(std::min(below, TypeParam::count - 1), static_cast<std::size_t>(larger - 1))
          << "for a size of " << size;
    }
  }
}

TYPED_TEST(SizeClassMap, IsMonotone) {
  std::size_t before = 0;
  for (std::size_t size = 1; size < std::size_t{1} << 40; size += 1 + size / 37) {
    const std::size_t index = TypeParam::class_of(size);
    EXPECT_GE(index, before) << "for a size of " << size;
    before = index;
  }
}

/// Calls `check(size, size of its class)` for sizes of every magnitude.
template <class Classes, class Check>
void for_rounded(Check check) {
  const std::size_t largest = Classes::size_of(Classes::count - 1);
  for (std::size_t size = 1; size <= largest; size += 1 + size / 1000) {
    check(size, Classes::size_of(Classes::class_of(size)));
  }
}

TEST(PowerOfTwoRounding, IsBelowTwice) {
  for_rounded<PowerOfTwoClasses<>>([](std::size_t size, std::size_t block) {
    EXPECT_GE(block, size);
    EXPECT_LT(block, 2 * std::max<std::size_t>(size, 5)) << "for a size of " << size;
  });
}

template <class Classes>
void expect_lost_at_most(std::size_t steps) {
  for_rounded<Classes>([&](std::size_t size, std::size_t block) {
    EXPECT_GE(block, size);
    EXPECT_LE(block - size, std::max<std::size_t>(15, block / steps)) << "for a size of " << size;
  });
}

TEST(SteppedRounding, IsAtMostAStep) {
  expect_lost_at_most<SteppedClasses<1>>(1);
  expect_lost_at_most<SteppedClasses<2>>(2);
  expect_lost_at_most<SteppedClasses<4>>(4);
  expect_lost_at_most<SteppedClasses<16>>(16);
}

}  // namespace
}  // namespace strata
