#pragma once
// A scalar that records what is done with it: an algorithm run on it writes its operations into a Graph. It is the
// index of a node, so it is as plain as a number: memory of zeros holds zeros.
//
// Comparisons give conditions for select(). An algorithm that branches on one cannot be recorded: any(), all() and the
// conversion to bool throw an Error that names the algorithm and the line: that of any() or all(), or of the
// comparison.
#include <source_location>
#include <string>
#include <vector>

#include "lissom/codegen/graph.h"
#include "lissom/math/scalar.h"
#include "lissom/math/sincos.h"

namespace lissom {
namespace codegen {

/// While it lives, Traced scalars of this thread write into a graph. Recordings of one thread may be nested.
class Recording {
 public:
  /// limb_of_body: to which limb the operations belong that are recorded between enter and leave.
  /// share_between_passes: whether values of one pass from the base outward are used in the next one, too, where it
  /// computes them again.
  Recording(Graph& graph, std::string algorithm, std::vector<int> limb_of_body = {}, bool share_between_passes = true);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  static Graph& graph();  ///< of the innermost one; throws Error if there is none
  static const std::string& algorithm();
  static void enter(int body);
  static void leave();

 private:
  Graph& graph_;
  std::string algorithm_;
  std::vector<int> limb_of_body_;
  bool share_between_passes_;
  int last_body_ = 0;
  Recording* before_;
};

struct Located;

struct Condition {
  NodeId node = 0;
  std::source_location where;  ///< of the comparison
  /// Throws an Error: what is done must not depend on a value.
  explicit operator bool() const;
};
bool any(Condition condition, std::source_location where = std::source_location::current());
bool all(Condition condition, std::source_location where = std::source_location::current());

struct Traced {
  NodeId node = 0;

  Traced() = default;
  Traced(double value);
  static Traced of(NodeId node);

  friend Traced operator-(Traced a);
  friend Traced operator+(Traced a, Traced b);
  friend Traced operator-(Traced a, Traced b);
  friend Traced operator*(Traced a, Traced b);
  friend Traced operator/(Traced a, Traced b);
  Traced& operator+=(Traced b) { return *this = *this + b; }
  Traced& operator-=(Traced b) { return *this = *this - b; }
  Traced& operator*=(Traced b) { return *this = *this * b; }
  friend Condition operator<(Located a, Traced b);
  friend Condition operator>(Located a, Traced b);
  friend Condition operator<=(Located a, Traced b);
  friend Condition operator>=(Located a, Traced b);
  friend Traced select(Condition m, Traced a, Traced b);
};
/// The left operand of a comparison, which tells where that is written. (An operator has no default arguments, but the
/// conversion of its operand has.)
struct Located {
  Traced value;
  std::source_location where;
  Located(Traced x, std::source_location at = std::source_location::current()) : value(x), where(at) {}
};
Traced sqrt(Traced a);
Traced abs(Traced a);
Traced atan2(Traced y, Traced x);

}  // namespace codegen

template <>
struct ScalarTraits<codegen::Traced> {
  using Number = double;
  static constexpr int lanes = 1;
};
namespace codegen {
SinCos<Traced> sincos(Traced x);
}  // namespace codegen
}  // namespace lissom
