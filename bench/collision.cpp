// Measures collision detection: pairs of shapes at 64 poses in turn, and the broad phase over 1,000 bodies.
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "lissom/geometry/broad_phase.h"
#include "lissom/geometry/collide.h"
#include "lissom/math/random.h"

namespace {

using benchmark::State;
using lissom::Collider;
using lissom::Pose;
using lissom::Vec3;

class Numbers {
 public:
  double uniform(double low, double high) { return low + (high - low) * lissom::uniform01(engine_()); }
  Vec3<double> vec3(double reach) { return {uniform(-reach, reach), uniform(-reach, reach), uniform(-reach, reach)}; }
  Vec3<double> direction() {
    for (;;)
      if (const auto v = vec3(1); dot(v, v) > .01 && dot(v, v) < 1) return (1 / std::sqrt(dot(v, v))) * v;
  }
  // A rotation by up to `angle` about any axis.
  lissom::Mat3<double> rotation(double angle) {
    const auto k = lissom::skew(direction()), kk = k * k;
    const double a = uniform(-angle, angle), s = std::sin(a), c = 1 - std::cos(a);
    auto R = lissom::identity3<double>();
    R += {s * k.xx, s * k.xy, s * k.xz, s * k.yx, s * k.yy, s * k.yz, s * k.zx, s * k.zy, s * k.zz};
    R += {c * kk.xx, c * kk.xy, c * kk.xz, c * kk.yx, c * kk.yy, c * kk.yz, c * kk.zx, c * kk.zy, c * kk.zz};
    return R;
  }

 private:
  std::mt19937_64 engine_{1};
};

// A regular prism with this many sides: a hull with twice as many vertices.
Collider prism(std::uint32_t sides) {
  std::vector<Vec3<double>> p;
  std::vector<lissom::Hull::Triangle> t;
  for (std::uint32_t i = 0; i < sides; ++i)
    for (const double z : {-.5, .5})
      p.push_back({.5 * std::cos(6.283185307179586 * i / sides), .5 * std::sin(6.283185307179586 * i / sides), z});
  for (std::uint32_t i = 0; i < sides; ++i) {
    const std::uint32_t j = (i + 1) % sides, a = 2 * i, b = 2 * j;
    t.push_back({a, b, b + 1}), t.push_back({a, b + 1, a + 1});
    if (i > 0 && j > 0) t.push_back({0, b, a}), t.push_back({1, a + 1, b + 1});
  }
  return Collider::convex_hull(std::make_shared<lissom::Hull>(p, t));
}

struct Case {
  std::string name;
  Collider a, b;
  double angle;  // how far a is turned, at most
  double gap;
};
const std::vector<Case>& cases() {
  const auto sphere = Collider::sphere(.5), capsule = Collider::capsule(.2, 1), box = Collider::box({1, 1, 1});
  const auto rounded = Collider::box({1, 1, 1}, .05), cylinder = Collider::cylinder(.5, 1), plane = Collider::plane();
  const auto ellipsoid = Collider::ellipsoid({.5, .4, .3}), hull = prism(8), large = prism(64);
  constexpr double any = 3.2, rest = 1e-3;
  static const std::vector<Case> all{{"sphere-plane", sphere, plane, any, 0},
                                     {"sphere-sphere", sphere, sphere, any, 0},
                                     {"sphere-capsule", sphere, capsule, any, 0},
                                     {"sphere-box", sphere, box, any, 0},
                                     {"sphere-cylinder", sphere, cylinder, any, 0},
                                     {"sphere-ellipsoid", sphere, ellipsoid, any, 0},
                                     {"sphere-hull of 16", sphere, hull, any, 0},
                                     {"capsule-plane", capsule, plane, any, 0},
                                     {"capsule-capsule", capsule, capsule, any, 0},
                                     {"capsule-box", capsule, box, any, 0},
                                     {"box-plane", box, plane, rest, 0},
                                     {"box-box, face on face", box, box, rest, 0},
                                     {"box-box, any", box, box, any, 0},
                                     {"box-box, 5 cm apart", box, box, any, .05},
                                     {"rounded box-rounded box, any", rounded, rounded, any, 0},
                                     {"cylinder-plane", cylinder, plane, rest, 0},
                                     {"cylinder-box, standing", cylinder, box, rest, 0},
                                     {"cylinder-box, any", cylinder, box, any, 0},
                                     {"cylinder-cylinder, any", cylinder, cylinder, any, 0},
                                     {"ellipsoid-plane", ellipsoid, plane, any, 0},
                                     {"ellipsoid-box, any", ellipsoid, box, any, 0},
                                     {"ellipsoid-ellipsoid, any", ellipsoid, ellipsoid, any, 0},
                                     {"hull of 16-plane", hull, plane, rest, 0},
                                     {"hull of 16-hull of 16, face on face", hull, hull, rest, 0},
                                     {"hull of 16-hull of 16, any", hull, hull, any, 0},
                                     {"hull of 128-hull of 128, any", large, large, any, 0},
                                     {"hull of 16-hull of 16, 1 cm deep", hull, hull, any, -.01}};
  return all;
}

// b is at the origin, a above it at the case's gap.
void pair(State& state) {
  const auto& c = cases()[std::size_t(state.range(0))];
  state.SetLabel(c.name);
  Numbers numbers;
  std::vector<Pose<double>> poses(64);
  for (auto& X : poses) {
    X = {numbers.rotation(c.angle), {0, 0, 3}};
    if (c.angle > 1 && c.b.is_convex()) X.p = 3. * numbers.direction();
    const auto d = distance(c.a, X, c.b, {});
    X.p = X.p - (d.distance - c.gap + numbers.uniform(-1e-6, 1e-6)) * d.normal;
  }
  lissom::ContactPoints points;
  std::size_t i = 0;
  double found = 0;
  for (auto _ : state) {
    collide(c.a, poses[i++ & 63], c.b, {}, .01, points);
    benchmark::DoNotOptimize(points);
    found += points.size();
  }
  state.counters["points"] = found / double(state.iterations());
}
BENCHMARK(pair)->DenseRange(0, 26)->Unit(benchmark::kNanosecond);

// A loose heap of 1,000 boxes of 10 cm that move by `speed` of their size in a step.
struct Heap {
  Numbers numbers;
  std::vector<Vec3<double>> centers, velocities;
  lissom::BroadPhase broad;
  explicit Heap(double speed) {
    for (int i = 0; i < 1000; ++i) {
      centers.push_back(numbers.vec3(.7)), velocities.push_back((.1 * speed) * numbers.direction());
      broad.add({.body = i});
    }
  }
  void advance() {
    for (std::size_t i = 0; i < centers.size(); ++i) {
      centers[i] += velocities[i];
      for (const auto x : {&Vec3<double>::x, &Vec3<double>::y, &Vec3<double>::z})
        if (std::abs(centers[i].*x) > .7) velocities[i].*x = std::copysign(velocities[i].*x, -centers[i].*x);
    }
  }
  lissom::Bounds bounds(std::size_t i) const { return lissom::grown({centers[i], centers[i]}, .05); }
};
void broad_phase(State& state) {
  Heap heap(.01 * double(state.range(0)));
  state.SetLabel("moving by " + std::to_string(state.range(0)) + " % of the size in a step");
  double found = 0;
  for (auto _ : state) {
    heap.advance();
    for (std::size_t i = 0; i < heap.centers.size(); ++i) heap.broad.set_bounds(int(i), heap.bounds(i));
    found += double(heap.broad.update().size());
  }
  state.counters["pairs"] = found / double(state.iterations());
}
BENCHMARK(broad_phase)->Arg(0)->Arg(1)->Arg(10)->Unit(benchmark::kMicrosecond);

void brute_force(State& state) {
  Heap heap(.01);
  double found = 0;
  std::vector<lissom::Bounds> boxes(heap.centers.size());
  for (auto _ : state) {
    heap.advance();
    for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i] = heap.bounds(i);
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (std::size_t j = i + 1; j < boxes.size(); ++j) found += overlap(boxes[i], boxes[j]);
  }
  state.counters["pairs"] = found / double(state.iterations());
}
BENCHMARK(brute_force)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
