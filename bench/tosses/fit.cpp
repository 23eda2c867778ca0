// Fits friction, impact friction, restitution and rounding of the tossed cube to measured tosses, by the simplex method
// of Nelder and Mead. What is minimized is the mean error of the position in mm plus that of the rotation in degrees.
// usage: fit_tosses DIR [ROUNDS]        fits, and prints the best parameters after each round (default: 60)
//        fit_tosses DIR --each          prints the errors of each toss with the parameters of lissom bench
//        fit_tosses DIR --frames TOSS   prints the frames of a toss, measured and simulated: t, x y z, qw qx qy qz of
//        each
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numbers>
#include <string>
#include <utility>

#include "lissom/benchmarks/tosses.h"

namespace {

using namespace lissom::benchmarks;
using Point = std::array<double, 4>;

// The simplex moves in factors near 1.
TossParameters parameters_at(const Point& x) {
  TossParameters p;
  p.friction = .217 * x[0], p.impact_friction = .165 * x[1], p.restitution = .19 * x[2], p.rounding = 6.8e-3 * x[3];
  return p;
}
double in_degrees(double angle) {
  return 180 / std::numbers::pi * angle;
}

void print(const std::vector<Toss>& tosses, const TossParameters& p) {
  const auto e = mean_error(tosses, p);
  std::printf(
      "friction %.4f, impact friction %.4f, restitution %.4f, rounding %.3f mm: %.3f mm, %.3f deg, %.2f us a step\n",
      p.friction, p.impact_friction, p.restitution, 1e3 * p.rounding, 1e3 * e.position, in_degrees(e.rotation),
      1e6 * e.seconds / double(e.steps));
  std::fflush(stdout);
}

void print_each(const std::vector<Toss>& tosses) {
  std::printf("toss,mm,degrees\n");
  for (const auto& toss : tosses) {
    const auto e = simulate(toss);
    std::printf("%s,%.6f,%.6f\n", toss.name.c_str(), 1e3 * e.position, in_degrees(e.rotation));
  }
}

void print_frames(const Toss& toss) {
  std::vector<TossFrame> simulated;
  simulate(toss, {}, &simulated);
  for (std::size_t k = 0; k < simulated.size(); ++k) {
    std::printf("%.6f", toss.frames[k].time);
    for (const TossFrame* const frame : {&std::as_const(toss.frames[k]), &std::as_const(simulated[k])}) {
      const auto& [t, p, r] = *frame;
      std::printf(" %.6f %.6f %.6f %.6f %.6f %.6f %.6f", p.x, p.y, p.z, r.w, r.x, r.y, r.z);
    }
    std::printf("\n");
  }
}

class Fit {
 public:
  explicit Fit(const std::vector<Toss>& tosses) : tosses_(tosses) {}

  double error_at(const Point& x) const {
    if (std::ranges::min(x) <= .1 || std::ranges::max(x) >= 4) return 1e9;
    const auto error = mean_error(tosses_, parameters_at(x));
    return 1e3 * error.position + in_degrees(error.rotation);
  }
  void run(int rounds) {
    constexpr std::size_t n = 4;
    std::array<std::pair<double, Point>, n + 1> simplex;
    for (std::size_t i = 0; i <= n; ++i) {
      simplex[i].second.fill(1);
      if (i > 0) simplex[i].second[i - 1] = 1.12;
      simplex[i].first = error_at(simplex[i].second);
    }
    const auto order = [&] { std::ranges::sort(simplex, {}, [](const auto& vertex) { return vertex.first; }); };
    order();
    for (int round = 0; round < rounds; ++round) {
      Point center{};
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k) center[k] += simplex[i].second[k] / double(n);
      const auto along = [&](double s) {
        Point x;
        for (std::size_t k = 0; k < n; ++k) x[k] = center[k] + s * (center[k] - simplex[n].second[k]);
        return std::pair{error_at(x), x};
      };
      auto tried = along(1);
      if (tried.first < simplex[0].first) {
        if (const auto farther = along(2); farther.first < tried.first) tried = farther;
      } else if (tried.first >= simplex[n - 1].first) {
        tried = along(tried.first < simplex[n].first ? .5 : -.5);
      }
      if (tried.first < simplex[n].first)
        simplex[n] = tried;
      else
        for (std::size_t i = 1; i <= n; ++i) {
          for (std::size_t k = 0; k < n; ++k) simplex[i].second[k] = .5 * (simplex[i].second[k] + simplex[0].second[k]);
          simplex[i].first = error_at(simplex[i].second);
        }
      order();
      std::printf("%3d ", round), print(tosses_, parameters_at(simplex[0].second));
    }
  }

 private:
  const std::vector<Toss>& tosses_;
};

}  // namespace

int main(int count, char** arguments) try {
  if (count < 2) return std::fprintf(stderr, "usage: fit_tosses DIR [ROUNDS]\n"), 2;
  const auto tosses = read_tosses(arguments[1]);
  const std::string what = count > 2 ? arguments[2] : "60";
  if (what == "--each") {
    print_each(tosses);
  } else if (what == "--frames" && count > 3) {
    const auto found = std::ranges::find(tosses, std::string(arguments[3]), &Toss::name);
    if (found == tosses.end()) return std::fprintf(stderr, "fit_tosses: there is no toss '%s'\n", arguments[3]), 2;
    print_frames(*found);
  } else {
    std::printf("%zu tosses; those of lissom bench:\n    ", tosses.size());
    print(tosses, {});
    Fit(tosses).run(std::atoi(what.c_str()));
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "fit_tosses: %s\n", error.what());
  return 1;
}
