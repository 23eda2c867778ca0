#include <cmath>
#include <cstdio>

#include "lissom/qp/solution.h"

namespace lissom::qp {
namespace {

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

std::string of(const std::vector<std::string>& texts, int i) {
  return i >= 0 && std::size_t(i) < texts.size() ? texts[std::size_t(i)] : "";
}

std::string line(const char* part, const std::string& name, int index, double amount, const std::string& unit,
                 bool equality) {
  const auto what = name.empty() ? " " + std::to_string(index) : " '" + name + "'";
  const auto size = number(std::abs(amount)) + (unit.empty() ? "" : " " + unit);
  return part + what + ": " + size +
         (equality     ? amount > 0 ? " above" : " below"
          : amount > 0 ? " above its upper bound"
                       : " below its lower bound");
}

}  // namespace

const char* to_string(Status status) {
  switch (status) {
    case Status::optimal:
      return "optimal";
    case Status::elastic:
      return "elastic";
    case Status::infeasible:
      return "infeasible";
    case Status::limit:
      return "limit";
    default:
      return "invalid";
  }
}

std::string describe(const Solution& s, const Names& names) {
  std::string text = to_string(s.status);
  if (s.reason && *s.reason) text += std::string(": ") + s.reason;
  for (const auto& c : s.conflicts) {
    text += "\n";
    if (c.part == Part::equality)
      text +=
          line("equality", of(names.equalities, c.index), c.index, c.amount, of(names.equality_units, c.index), true);
    else if (c.part == Part::row)
      text += line("row", of(names.rows, c.index), c.index, c.amount, of(names.row_units, c.index), false);
    else
      text +=
          line("variable", of(names.variables, c.index), c.index, c.amount, of(names.variable_units, c.index), false);
  }
  return text;
}

}  // namespace lissom::qp
