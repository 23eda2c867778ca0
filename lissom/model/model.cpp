#include <algorithm>
#include <cmath>
#include <tuple>

#include "lissom/model/model_data.h"
#include "lissom/model/text.h"

namespace lissom {
namespace {

template <class Named>
[[noreturn]] void not_found(const std::vector<Named>& all, std::string_view name, const char* what,
                            const std::string& model) {
  std::vector<const Named*> near;
  for (const auto& one : all)
    if (!one.name.empty()) near.push_back(&one);
  const auto count = std::min<std::size_t>(near.size(), 3);
  // A name that is the same but for case comes first, then names that contain the given one: "left_elbow" for "elbow".
  const auto distance = [&](const Named* one) {
    const bool contains = !name.empty() && one->name.find(name) != std::string::npos;
    return std::tuple(!same_but_for_case(one->name, name), !contains, edit_distance(one->name, name));
  };
  std::partial_sort(near.begin(), near.begin() + long(count), near.end(),
                    [&](const Named* a, const Named* b) { return distance(a) < distance(b); });
  std::string names;
  for (std::size_t i = 0; i < count; ++i) names += (i ? ", " : "") + near[i]->name;
  const std::string kind = std::string(what) + "s";
  throw Error(
      "no " + std::string(what) + " " + in_quotes(name) + " in model " + in_quotes(model) +
      (names.empty() ? ", which has no " + kind : (near.size() > count ? "; nearest " : "; ") + kind + ": " + names));
}
template <class Named>
int find(const std::unordered_map<std::string, int>& table, const std::vector<Named>& all, std::string_view name,
         const char* what, const std::string& model) {
  if (const auto at = table.find(std::string(name)); at != table.end()) return at->second;
  not_found(all, name, what, model);
}

}  // namespace

const std::string& Model::name() const {
  return data_->description.name;
}
int Model::nq() const {
  return data_->coupling.nq;
}
int Model::nv() const {
  return data_->coupling.nv;
}
int Model::body_count() const {
  return int(data_->tree.bodies.size()) - 1;
}
double Model::mass() const {
  return data_->mass;
}
double Model::moving_mass() const {
  return data_->moving_mass;
}
Vec3<double> Model::gravity() const {
  return data_->tree.gravity;
}
const std::vector<Joint>& Model::joints() const {
  return data_->joints;
}
const std::vector<Link>& Model::links() const {
  return data_->links;
}
const std::vector<Frame>& Model::frames() const {
  return data_->frames;
}
const std::vector<Loop>& Model::loops() const {
  return data_->loops;
}
const std::vector<JointCoupling>& Model::couplings() const {
  return data_->description.couplings;
}
const std::vector<Spring>& Model::springs() const {
  return data_->springs;
}
const std::vector<Actuator>& Model::actuators() const {
  return data_->actuators;
}
const std::vector<double>& Model::lower() const {
  return data_->lower;
}
const std::vector<double>& Model::upper() const {
  return data_->upper;
}
const std::vector<double>& Model::velocity_limit() const {
  return data_->velocity_limit;
}
const std::vector<double>& Model::effort_limit() const {
  return data_->effort_limit;
}
const Manifold& Model::manifold() const {
  return data_->manifold;
}
const std::vector<int>& Model::quaternions() const {
  return data_->quaternions;
}
int Model::snapped_axes() const {
  return data_->snapped_axes;
}
double Model::max_snap() const {
  return data_->max_snap;
}
const std::shared_ptr<const void>& Model::structure_id() const {
  return data_->structure_id;
}
const Description& Model::description() const {
  return data_->description;
}
const BuildOptions& Model::options() const {
  return data_->options;
}
const Sparsity& Model::sparsity() const {
  return data_->sparsity;
}

const Joint& Model::joint(std::string_view name) const {
  return data_->joints[std::size_t(find(data_->joint_of, data_->joints, name, "joint", this->name()))];
}
const Link& Model::link(std::string_view name) const {
  return data_->links[std::size_t(find(data_->link_of, data_->links, name, "link", this->name()))];
}
FrameId Model::frame(std::string_view name) const {
  return {find(data_->frame_of, data_->frames, name, "frame", this->name())};
}
bool Model::has_joint(std::string_view name) const {
  return data_->joint_of.contains(std::string(name));
}
bool Model::has_link(std::string_view name) const {
  return data_->link_of.contains(std::string(name));
}
bool Model::has_frame(std::string_view name) const {
  return data_->frame_of.contains(std::string(name));
}
bool Model::is_root_joint(const Joint& joint) const {
  return joint.type != JointType::fixed && data_->frames[std::size_t(data_->frame_of.at(joint.parent))].body == world;
}
bool Model::has_frame(FrameId id) const {
  return id.index >= 0 && id.index < int(data_->frames.size());
}
const Frame& Model::frame_at(FrameId id, std::string_view argument) const {
  if (!has_frame(id))
    throw Error(std::string(argument) + " is " + std::to_string(id.index) + ", expected a frame of model " +
                in_quotes(name()) + " (0 to " + std::to_string(data_->frames.size() - 1) +
                "); call model.frame(\"name\")");
  return data_->frames[std::size_t(id.index)];
}
const ContactMaterial& Model::contact_material(std::string_view name) const {
  const auto& all = data_->description.contact_materials;
  const auto found = std::ranges::find(all, name, &ContactMaterial::name);
  if (found == all.end()) not_found(all, name, "contact material", this->name());
  return *found;
}
const LinkDescription& Model::link_description(std::string_view name) const {
  // Links are in the order of the description.
  return data_->description.links[std::size_t(find(data_->link_of, data_->links, name, "link", this->name()))];
}

Model Model::with_gravity(const Vec3<double>& gravity) const {
  if (!std::isfinite(gravity.x + gravity.y + gravity.z))
    throw Error("gravity is (" + to_text(gravity.x) + ", " + to_text(gravity.y) + ", " + to_text(gravity.z) +
                ") m/s², expected finite numbers");
  auto changed = std::make_shared<Data>(*data_);
  changed->tree.gravity = gravity;
  changed->tree_float.gravity = cast<float>(gravity);
  changed->description.gravity = gravity;
  return Model(std::move(changed));
}

template <>
const Tree<double>& Model::tree<double>() const {
  return data_->tree;
}
template <>
const Tree<float>& Model::tree<float>() const {
  return data_->tree_float;
}
template <>
const Coupling<double>& Model::coupling<double>() const {
  return data_->coupling;
}
template <>
const Coupling<float>& Model::coupling<float>() const {
  return data_->coupling_float;
}

}  // namespace lissom
