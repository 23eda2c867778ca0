#include "lissom/model/loop_axes.h"

#include <algorithm>
#include <string>

#include "lissom/model/diagnostic.h"

namespace lissom {

int LoopAxes::count() const {
  return int(std::count(along.begin(), along.end(), true) + std::count(about.begin(), about.end(), true));
}

LoopAxes loop_axes(std::string_view text) {
  LoopAxes axes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ' || text[i] == ',') continue;
    auto& group = text[i] == 'r' ? axes.about : axes.along;
    if (text[i] == 'r') ++i;
    const char c = i < text.size() ? text[i] : '?';
    if (c < 'x' || c > 'z')
      throw Error(
          "axes are \"" + std::string(text) + "\" with '" + std::string(1, c) +
          "', expected any of x y z (no translation along) and rx ry rz (no rotation about), e.g. \"xyz rx ry\"");
    group[std::size_t(c - 'x')] = true;
  }
  return axes;
}

}  // namespace lissom
