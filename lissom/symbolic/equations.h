#pragma once
// The equations of a small mechanism in closed form: mass matrix H, Coriolis and centrifugal forces C, gravity forces
// G, energies, and the position and Jacobian of a frame (docs/equations.md).
//
//   std::cout << equations(load("models/planar2.urdf")).text();
//
// They come from the library's own algorithms, run on polynomials in the sines and cosines of joint angles, and are
// then written as a textbook does: angles of parallel joints added up, common factors before parentheses.
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "lissom/math/eigen_arguments.h"
#include "lissom/model/model.h"
#include "lissom/symbolic/notation.h"
#include "lissom/symbolic/symbol_groups.h"

namespace lissom {

/// Which equations are computed, and with which symbols.
struct EquationOptions {
  /// Which quantities: H (or M), C, G, T, U; p, R, J of a frame. Empty: H, C and G; with a frame, p and J.
  std::vector<std::string> only = {};
  /// The frame of p, R and J.
  std::string frame = {};
  SymbolGroups symbols = {};
  /// Significant digits of decimals.
  int digits = 6;
  /// More terms than these, in all quantities together, are refused with an Error that estimates their number.
  std::size_t max_terms = 1000;
  /// Asked now and then, several times a second; if true, the call throws an Error. Empty: never.
  std::function<bool()> stop = {};
};

/// A matrix whose entries are closed forms. Copies share their data.
class ClosedForm {
 public:
  const std::string& name() const;     ///< "H"
  const std::string& meaning() const;  ///< "mass matrix"
  int rows() const;
  int columns() const;
  int nq() const;  ///< elements of q, and of v, that evaluate() takes
  int nv() const;
  /// How many terms its entries have together; those of a symmetric matrix count once.
  std::size_t term_count() const;
  /// One entry: "7/2 + cos q2", "\tfrac{7}{2} + \cos q_2". Throw Error if there is no such entry.
  std::string text(int row, int column) const;
  std::string latex(int row, int column) const;
  /// "H = ⎡ … ⎤"; entry by entry where a line would be longer than `width`.
  std::string text(int width = 100) const;
  /// "H &= \begin{pmatrix} … \end{pmatrix}", a line of an align environment.
  std::string latex() const;
  /// Its value for a state, with the parameters of the robot; `parameters` replaces some of them, by the names that
  /// symbols() lists. Throws Error if sizes or names are wrong.
  Eigen::MatrixXd evaluate(const VectorIn& q, const VectorIn& v,
                           const std::map<std::string, double>& parameters = {}) const;

  struct Data;
  explicit ClosedForm(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<const Data> data_;
};

/// The closed forms of a robot. Copies share their data.
class Equations {
 public:
  const std::vector<ClosedForm>& forms() const { return forms_; }
  /// By name; "M" is "H". Throws Error if it was not asked for.
  const ClosedForm& operator[](std::string_view name) const;
  /// Coordinates, velocities and the parameters that appear.
  const std::vector<Symbol>& symbols() const { return symbols_; }
  /// Everything, with coordinates and parameters explained.
  std::string text(int width = 100) const;
  /// An align* environment; needs the package amsmath.
  std::string latex() const;

 private:
  friend Equations equations(const Model& model, const EquationOptions& options);
  std::string robot_;
  bool is_motion_ = false;  // H, C and G are all there
  bool has_loops_ = false;
  bool has_all_coordinates_ = false;  // a quantity has a row for each of them
  bool has_rates_ = true;             // v is the rate of q
  std::vector<ClosedForm> forms_;
  std::vector<Symbol> symbols_;
};

/// Throws Error if the model has no coordinates, a quantity or the frame does not exist, or there would be too many
/// terms.
Equations equations(const Model& model, const EquationOptions& options = {});

/// Reads "masses,lengths,inertias", "all" or "none"; gravity is a symbol unless "none" is given. Throws Error with the
/// nearest word if one is unknown.
SymbolGroups symbol_groups(std::string_view words);

}  // namespace lissom
