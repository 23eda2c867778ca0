// Measures each formulation on our humanoid: the operations, counted by running the recursions on a counting scalar
// type, and the time. Also measures the two conversions from link velocities to joint velocities
// (docs/formulations.md).
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>

#include "lissom/dynamics/aba.h"
#include "lissom/dynamics/crba.h"
#include "lissom/dynamics/rnea.h"
#include "lissom/formulations/conversions.h"
#include "lissom/formulations/gauss.h"
#include "lissom/formulations/lagrange.h"
#include "lissom/formulations/link_frames.h"
#include "lissom/formulations/maximal.h"
#include "lissom/formulations/mirtich.h"
#include "lissom/lissom.h"

namespace lissom {

// A scalar that counts the operations on it.
struct Counted {
  double x;
  static inline long additions = 0, multiplications = 0, divisions = 0;
  Counted() = default;
  constexpr Counted(double a) : x(a) {}
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  friend Counted operator-(Counted a) { return a.x * -1; }
  friend Counted operator+(Counted a, Counted b) { return ++additions, a.x + b.x; }
  friend Counted operator-(Counted a, Counted b) { return ++additions, a.x - b.x; }
  friend Counted operator*(Counted a, Counted b) { return ++multiplications, a.x * b.x; }
  friend Counted operator/(Counted a, Counted b) { return ++divisions, a.x / b.x; }
  friend bool operator<(Counted a, Counted b) { return a.x < b.x; }
  friend bool operator>(Counted a, Counted b) { return a.x > b.x; }
  friend Counted select(bool m, Counted a, Counted b) { return m ? a : b; }
};
template <>
struct ScalarTraits<Counted> {
  using Number = double;
  static constexpr int lanes = 1;
};
inline SinCos<Counted> sincos(Counted a) {
  return {std::sin(a.x), std::cos(a.x)};
}

}  // namespace lissom

namespace {

using Eigen::VectorXd;
using lissom::Counted;
namespace formulations = lissom::formulations;

double microseconds(const std::function<void()>& f) {
  double best = 1e300;
  for (int round = 0; round < 12; ++round) {
    const auto start = std::chrono::steady_clock::now();
    int n = 0;
    double spent = 0;
    do {
      f(), ++n;
      spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    } while (spent < 0.02);
    best = std::min(best, 1e6 * spent / n);
  }
  return best;
}

std::string counted(const std::function<void()>& f) {
  Counted::additions = Counted::multiplications = Counted::divisions = 0;
  f();
  char text[80];
  std::snprintf(text, sizeof text, "%5ld + %5ld × %3ld ÷", Counted::additions, Counted::multiplications,
                Counted::divisions);
  return text;
}
void row(const char* name, const char* gives, const std::string& operations, double time) {
  std::printf("| %-44s | %-14s | %-26s | %9.2f |\n", name, gives, operations.c_str(), time);
}

}  // namespace

int main() {
  const auto model = lissom::load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = lissom::Base::free});
  const int nv = model.nv();
  const VectorXd q = random_configuration(model, 1), v = VectorXd::Random(nv), a = VectorXd::Random(nv),
                 tau = VectorXd::Random(nv);
  lissom::Workspace work(model);
  const auto& tree = model.tree<double>();
  const auto to_counted = [](const VectorXd& x) { return std::vector<Counted>(x.begin(), x.end()); };
  const auto cq = to_counted(q), cv = to_counted(v), ca = to_counted(a), ct = to_counted(tau);
  std::vector<Counted> out(std::size_t(nv) + 16), M(std::size_t(nv * nv) + 64);

  std::printf("| formulation | gives | operations | µs |\n|---|---|---|---:|\n");
  row("recursive Newton–Euler, `dynamics/rnea.h`", "tau", counted([&] {
        lissom::RneaScratch<Counted> w(tree);
        lissom::rnea(tree, w, cq.data(), cv.data(), ca.data(), out.data());
      }),
      microseconds([&] { inverse_dynamics(model, work, q, v, a); }));
  row("composite rigid bodies, `dynamics/crba.h`", "M", counted([&] {
        lissom::CrbaScratch<Counted> w(tree);
        lissom::crba(tree, w, cq.data(), M.data(), nv);
      }),
      microseconds([&] { mass_matrix(model, work, q); }));
  row("articulated bodies, `dynamics/aba.h`", "a", counted([&] {
        lissom::AbaScratch<Counted> w(tree);
        lissom::aba(tree, w, cq.data(), cv.data(), ct.data(), out.data());
      }),
      microseconds([&] { forward_dynamics(model, work, q, v, tau); }));

  const formulations::Mechanism mechanism(model);
  const formulations::Charted charted(model);
  const VectorXd x = charted.from_model(q), rates = charted.rates_map(x) * v;
  const auto e = formulations::gauss(charted, x, rates);
  row("recursion in link frames, `link_frames.cpp`", "tau", "O(n)",
      microseconds([&] { formulations::inverse_dynamics_in_link_frames(mechanism, q, v, a); }));
  row("Mirtich's form of Featherstone, `mirtich.cpp`", "a", "O(n)",
      microseconds([&] { formulations::forward_dynamics_mirtich(mechanism, q, v, tau); }));
  row("maximal coordinates, `maximal.cpp`", "a, wrenches", "O(n)",
      microseconds([&] { formulations::maximal_dynamics(mechanism, q, v, tau); }));
  row("Lagrange from Jacobians, `lagrange.cpp`", "M, C, Q", "O(n³)",
      microseconds([&] { formulations::lagrange(charted, x, rates); }));
  row("Lagrange from energy, `lagrange.cpp`", "M, C, Q", "O(n⁴)",
      microseconds([&] { formulations::lagrange_by_energy(charted, x, rates); }));
  row("Gauss, `gauss.cpp`", "M, N, Q", "O(n³)", microseconds([&] { formulations::gauss(charted, x, rates); }));
  row("… solved with multipliers (32)", "q̈, λ", "O(n³)",
      microseconds([&] { formulations::solve_with_multipliers(charted, x, rates, e.M, e.N * rates, e.gravity); }));
  row("… solved by projection (35)", "q̈", "O(n³)",
      microseconds([&] { formulations::solve_projected(charted, x, rates, e.M, e.N * rates, e.gravity); }));
  const auto state = formulations::to_maximal(mechanism, q, v);
  row("links to joints, joint by joint (66)", "q, v", "O(n)",
      microseconds([&] { formulations::to_generalized(mechanism, state); }));
  row("links to joints, least squares (61)", "v", "O(n³)",
      microseconds([&] { formulations::velocities_by_least_squares(mechanism, q, state.V); }));
}
