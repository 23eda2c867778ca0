#pragma once
// A mesh as few convex bodies: approximate convex decomposition.
#include <functional>
#include <vector>

#include "lissom/mesh/convex_hull.h"

namespace lissom::mesh {

/// How far a mesh is divided.
struct DecomposeOptions {
  std::size_t max_hulls = 16;
  /// Parts are not cut further where their hull has less empty space than this, relative to the volume of the hull of
  /// the whole mesh.
  double max_concavity = 0.02;
  /// Cells along the longest extent by which empty space is measured; 8 to 256.
  int resolution = 64;
  /// A hull has at most so many; 0: as many as it needs.
  std::size_t max_vertices = 64;
  /// Look for the result in the user's cache, and keep it there.
  bool use_cache = true;
  /// Asked before each cut and each union; if true, decompose() throws an Error. It may throw itself.
  std::function<bool()> stop = {};
};

/// A mesh as convex hulls.
struct ConvexDecomposition {
  /// Solid hulls; a mesh without volume has one, which may be flat. Every triangle of the mesh lies in them, up to what
  /// max_vertices cuts off.
  std::vector<TriangleMesh> hulls;
  /// The empty space in all of them, relative to the volume of the hull of the whole mesh.
  double concavity = 0;
  bool from_cache = false;
};

/// Cuts the body along planes normal to its axes, always there where the hulls of both sides together have the least
/// volume, until the hulls fit or there are twice max_hulls; then hulls are united, those first that gain the least
/// empty space. The planes pass through vertices of the mesh where that is better. The same mesh gives the same hulls.
/// Throws an Error if an option is out of range.
ConvexDecomposition decompose(const TriangleMesh& mesh, const DecomposeOptions& options = {});

}  // namespace lissom::mesh
