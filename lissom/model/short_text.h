#pragma once
// Numbers in messages that need no more digits. Not installed.
#include <cmath>
#include <string>

#include "lissom/model/text.h"

namespace lissom {

// Three significant digits.
inline std::string short_text(double number) {
  if (number == 0 || !std::isfinite(number)) return to_text(number);
  const double unit = std::pow(10, std::floor(std::log10(std::abs(number))) - 2);
  return to_text(unit > 0 ? std::round(number / unit) * unit : number);
}

}  // namespace lissom
