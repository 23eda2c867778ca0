#pragma once
// Worlds in Python.
#include <memory>

#include "bound_model.h"
#include "lissom/scenes/scene.h"
#include "lissom/world/world_batch.h"
#include "one_caller.h"
#include "records.h"

namespace lissom::python {

/// What a world consists of: a World does not say it, and recordings and the viewer have to know.
struct WorldParts {
  scenes::Scene scene = {};
  std::atomic<bool> running = false;  ///< World.run() goes on: nothing can be added

  WorldParts() = default;
  explicit WorldParts(scenes::Scene of) : scene(std::move(of)) {}
};

/// A world of its own, or one of a batch, which it then keeps alive and shares the caller with.
struct BoundWorld {
  std::shared_ptr<World> world;
  std::shared_ptr<OneCaller> in_use = std::make_shared<OneCaller>();
  std::shared_ptr<WorldParts> parts = std::make_shared<WorldParts>();
};

/// What is known by names, "mass" and "inertia" of {name: factor}, in the order in which they were given.
struct NamedFactors {
  std::string name;
  nb::object mass, inertia;  ///< none where there is none
};
std::vector<NamedFactors> named_factors(nb::handle mass, nb::handle inertia);

/// A structured array of n elements; `fields` are (name, type) or (name, type, shape), as numpy.dtype takes them.
nb::object structured_array(long n, const nb::list& fields);

void bind_world(nb::module_& m);
/// Scenes, runs of worlds, worlds as one model.
void bind_scenes(nb::module_& m, nb::class_<BoundWorld>& world);
void bind_world_batch(nb::module_& m);

}  // namespace lissom::python
