/// What a property of the suite found wrong. A recorder rather than assertions, so that a seeded mutant can be
/// shown to be caught without failing the run.
#pragma once

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace strata::conformance {

struct Violation {
  std::string property;
  std::string what;
};

class Violations {
 public:
  /// What follows is about this property.
  void enter(const std::string& property) {
    property_ = property;
    here_ = 0;
  }

  /// Records a violation unless `holds`, which it returns. The sentence says what is wrong.
  template <class... Parts>
  bool expect(bool holds, const Parts&... sentence) {
    if (!holds) {
      if (++here_ <= most_) {
        std::ostringstream text;
        (text << ... << sentence);
        list_.push_back({property_, text.str()});
      }
    }
    return holds;
  }

  bool empty() const { return list_.empty(); }
  /// A heap that breaks this property so often is not worth more work on it.
  bool enough() const { return here_ >= most_; }
  const std::vector<Violation>& list() const { return list_; }

  std::string text() const {
    std::string all;
    for (const Violation& violation : list_) all += violation.property + ": " + violation.what + "\n";
    return all;
  }

 private:
  static constexpr std::size_t most_ = 8;

  std::string property_;
  std::vector<Violation> list_;
  std::size_t here_ = 0;
};

}  // namespace strata::conformance
