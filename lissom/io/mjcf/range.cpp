// Ranges of positions, forces and commands: one rule for joints, tendons and actuators.
#include "lissom/io/mjcf/parts.h"
#include "lissom/model/text.h"

namespace lissom::io::mjcf {
namespace {

using Tristate = Settings::Tristate;

// Whether a range is a limit. With autolimits, it is if its first number is below the second.
bool is_limit(const Settings& s, const char* attribute, const char* limited, const Compiler& c, const Range& range) {
  const Tristate said = s.tristate(limited, Tristate::automatic);
  if (said == Tristate::no) return false;
  const bool is_range = range.lower < range.upper, given = s.has(attribute);
  if (said == Tristate::yes) {
    if (!is_range)
      s.owner(given ? attribute : limited)
          .error("limit-reversed",
                 "attribute " + in_quotes(limited) + " is true, and " + in_quotes(attribute) + " is " +
                     (given ? to_text(range.lower) + " " + to_text(range.upper) : std::string("missing")) +
                     ", expected two numbers, the smaller one first",
                 "give the range, the smaller number first");
    return is_range;
  }
  if (!given) return false;
  if (!c.autolimits) {
    s.owner(attribute).error(
        "limit-unclear",
        "there is a range, but nothing says whether it is a limit: autolimits is false, and attribute " +
            in_quotes(limited) + " is not given",
        "add " + std::string(limited) + "=\"true\" or \"false\"");
    return false;
  }
  if (!is_range && (range.lower != 0 || range.upper != 0))
    s.owner(attribute).warning("limit-reversed",
                               "attribute " + in_quotes(attribute) + " is " + in_quotes(s.text(attribute)) +
                                   ": the first number is not below the second, so that MuJoCo sets no limit",
                               "give the smaller number first, or remove the range");
  return is_range;
}

}  // namespace

Range read_range(const Settings& s, const char* attribute, const char* limited, const Compiler& c) {
  NumberList n;
  if (s.has(attribute) && !s.numbers(attribute, 2, 2, n)) return {};
  return inherited_range(s, attribute, limited, c, {n.value[0], n.value[1]});
}

Range inherited_range(const Settings& s, const char* attribute, const char* limited, const Compiler& c, Range range) {
  range.limited = is_limit(s, attribute, limited, c, range);
  return range;
}

}  // namespace lissom::io::mjcf
