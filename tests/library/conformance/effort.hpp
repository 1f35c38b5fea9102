/// How much work the suite does. Under a sanitizer everything is many times slower, so there it does a part of it.
#pragma once

#include <cstddef>

namespace strata::conformance {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr std::size_t restraint = 5;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
inline constexpr std::size_t restraint = 5;
#else
inline constexpr std::size_t restraint = 1;
#endif
#else
inline constexpr std::size_t restraint = 1;
#endif

}  // namespace strata::conformance
