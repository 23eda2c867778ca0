// Approximate convex decomposition by cutting along planes, after the manner of V-HACD (Mamou 2016) and CoACD (Wei and
// others 2022): empty space is measured by cells of a grid, hulls are those of the mesh itself, cut exactly.
#include "lissom/mesh/decompose.h"

#include <algorithm>
#include <limits>

#include "lissom/mesh/cached.h"
#include "lissom/mesh/convex_part.h"
#include "lissom/model/diagnostic.h"
#include "lissom/model/text.h"

namespace lissom::mesh {
namespace {

// A hull that may have been united of several parts.
struct United {
  TriangleMesh hull;
  double hull_volume = 0, volume = 0;
};

void check_decompose_options(const DecomposeOptions& options) {
  if (options.max_hulls < 1 || options.max_hulls > 1000)
    throw Error("max_hulls is " + std::to_string(options.max_hulls) + ", expected 1 to 1000");
  if (!(options.max_concavity >= 0))
    throw Error("max_concavity is " + to_text(options.max_concavity) + ", expected a number not below 0");
  if (options.resolution < 8 || options.resolution > 256)
    throw Error("resolution is " + std::to_string(options.resolution) + ", expected 8 to 256");
}

void expect_going_on(const DecomposeOptions& options) {
  if (options.stop && options.stop()) throw Error("the decomposition was stopped before its end");
}

United united(const United& a, const United& b) {
  auto points = a.hull.vertices;
  points.insert(points.end(), b.hull.vertices.begin(), b.hull.vertices.end());
  United both{convex_hull(points).mesh, 0, a.volume + b.volume};
  both.hull_volume = volume_of(both.hull);
  return both;
}

// The parts, cut as long as one has too much empty space.
std::vector<United> cut_parts(const PartMaker& maker, ConvexPart whole, const DecomposeOptions& options) {
  const double allowed = options.max_concavity * whole.hull_volume;
  std::vector<ConvexPart> parts{std::move(whole)};
  std::vector<bool> final{false};
  while (parts.size() < 2 * options.max_hulls) {
    std::size_t worst = parts.size();
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (!final[i] && parts[i].empty() > allowed && (worst == parts.size() || parts[i].empty() > parts[worst].empty()))
        worst = i;
    if (worst == parts.size()) break;
    expect_going_on(options);
    auto sides = maker.cut(parts[worst]);
    if (!sides) {
      final[worst] = true;
      continue;
    }
    parts[worst] = std::move(sides->first);
    parts.push_back(std::move(sides->second));
    final.push_back(false);
  }
  std::vector<United> all;
  for (auto& part : parts) all.push_back({std::move(part.hull), part.hull_volume, part.volume});
  return all;
}

// Pairs of hulls are united while there are too many, or while that leaves little empty space: the pair first that
// gains the least. `gains` has a row for each hull, with those before it.
class Uniter {
 public:
  Uniter(std::vector<United> hulls, double allowed, const DecomposeOptions& options)
      : hulls_(std::move(hulls)), allowed_(allowed), options_(options) {
    gains_.resize(hulls_.size());
    for (std::size_t i = 0; i < hulls_.size(); ++i) {
      expect_going_on(options_);
      gains_[i].resize(i);
      for (std::size_t k = 0; k < i; ++k) gains_[i][k] = gain(i, k);
    }
  }
  std::vector<United> unite() {
    while (unite_one()) {
    }
    return std::move(hulls_);
  }

 private:
  struct Gain {
    double volume = 0;  // of the hull of both, beyond the two hulls
    double empty = 0;   // space in it
  };
  Gain gain(std::size_t i, std::size_t k) const {
    const auto both = united(hulls_[i], hulls_[k]);
    return {both.hull_volume - hulls_[i].hull_volume - hulls_[k].hull_volume, both.hull_volume - both.volume};
  }
  bool unite_one() {
    expect_going_on(options_);
    const bool too_many = hulls_.size() > options_.max_hulls;
    std::size_t best_i = 0, best_k = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < hulls_.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if ((too_many || gains_[i][k].empty <= allowed_) && gains_[i][k].volume < least)
          least = gains_[i][k].volume, best_i = i, best_k = k;
    if (best_i == best_k) return false;
    hulls_[best_k] = united(hulls_[best_i], hulls_[best_k]);
    remove(best_i);
    for (std::size_t i = 0; i < hulls_.size(); ++i)
      if (i != best_k) gains_[std::max(i, best_k)][std::min(i, best_k)] = gain(i, best_k);
    return true;
  }
  void remove(std::size_t index) {
    const auto at = std::ptrdiff_t(index);
    hulls_.erase(hulls_.begin() + at);
    gains_.erase(gains_.begin() + at);
    for (std::size_t i = index; i < gains_.size(); ++i) gains_[i].erase(gains_[i].begin() + at);
  }

  std::vector<United> hulls_;
  double allowed_;
  const DecomposeOptions& options_;
  std::vector<std::vector<Gain>> gains_;
};

ConvexDecomposition computed(const TriangleMesh& mesh, const DecomposeOptions& options) {
  ConvexDecomposition result;
  auto hull_of_all = convex_hull(mesh, {options.max_vertices});
  if (hull_of_all.kind != HullKind::solid || mesh.empty()) {
    if (hull_of_all.kind != HullKind::none) result.hulls.push_back(std::move(hull_of_all.mesh));
    return result;
  }
  const PartMaker maker(mesh, options.resolution);
  auto whole = maker.whole();
  const double volume = whole.hull_volume, body = whole.volume;
  auto hulls = Uniter(cut_parts(maker, std::move(whole), options), options.max_concavity * volume, options).unite();
  double sum = 0;
  for (auto& part : hulls) {
    sum += part.hull_volume;
    result.concavity += (part.hull_volume - part.volume) / volume;
    result.hulls.push_back(std::move(convex_hull(part.hull, {options.max_vertices}).mesh));
  }
  // All together are measured better than each of them.
  if (maker.knows_volume()) result.concavity = std::max(0.0, (sum - body) / volume);
  return result;
}

}  // namespace

ConvexDecomposition decompose(const TriangleMesh& mesh, const DecomposeOptions& options) {
  check_decompose_options(options);
  if (!options.use_cache) return computed(mesh, options);
  if (auto known = find_decomposition(mesh, options)) return *known;
  auto result = computed(mesh, options);
  store_decomposition(mesh, options, result);
  return result;
}

}  // namespace lissom::mesh
