#pragma once
// The symbols of closed forms, their names in text and LaTeX, and their values.
#include <string>
#include <vector>

#include "lissom/symbolic/coefficient.h"

namespace lissom {

/// What a symbol of a closed form stands for; in a product, symbols are printed in this order.
enum class SymbolKind { mass, inertia, length, gravity, coordinate, velocity };

/// A symbol of a closed form.
struct Symbol {
  SymbolKind kind = SymbolKind::mass;
  std::string base = {};     ///< "m", "q", "ω"
  int number = 0;            ///< of the body or the coordinate; 0: none
  std::string suffix = {};   ///< "x", "yy": the component
  bool has_suffix = true;    ///< whether the suffix is needed to tell it from others in use
  bool is_rate = false;      ///< has a dot
  int index = -1;            ///< of a coordinate in q, of a velocity in v
  double value = 0;          ///< of a parameter, in SI units
  std::string meaning = {};  ///< "mass of link1"
  const char* unit = "";
  bool appears = false;  ///< in one of the equations

  /// "m1", "q̇2", "I1yy"
  std::string text() const;
  /// "m_1", "\dot q_2", "I_{1,yy}"
  std::string latex() const;
};

namespace symbolic {

/// A number as a textbook prints it: a small fraction, else the shortest decimal that is the number rounded to this
/// many digits. The sign is not printed.
std::string number_text(const Coefficient& c, int digits);
std::string number_latex(const Coefficient& c, int digits);
std::string number_decimal(double x, int digits);

}  // namespace symbolic
}  // namespace lissom
