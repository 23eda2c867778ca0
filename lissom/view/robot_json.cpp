#include "lissom/view/robot_json.h"

#include <cmath>
#include <string_view>
#include <unordered_map>

#include <Eigen/Eigenvalues>

#include "lissom/api/state.h"
#include "lissom/files/data_uri.h"
#include "lissom/mesh/height_map.h"
#include "lissom/mesh/write.h"
#include "lissom/model/axes.h"
#include "lissom/model/interpretation.h"
#include "lissom/recording/header.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::view {

using nlohmann::json;

json to_json(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}
json to_json(const Pose<double>& X) {
  const auto r = quaternion(X.R);
  return {X.p.x, X.p.y, X.p.z, r.w, r.x, r.y, r.z};
}
json finite_or_null(double x) {
  return std::isfinite(x) ? json(x) : json(nullptr);
}

namespace {

// Frames are numbered: the world, then links, then named frames.
int link_index(const Model& model, const std::string& name) {
  const int index = model.frame(name).index - 1;
  return index < int(model.links().size()) ? index : -1;
}

// The solid ellipsoid of uniform density with this mass and inertia: I_x = m (b² + c²) / 5, and so on.
json ellipsoid(const LinkDescription& link) {
  const auto& I = link.inertia;
  Eigen::Matrix3d matrix;
  matrix << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  if (!(link.mass > 0) || !matrix.allFinite()) return nullptr;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(matrix);
  const auto& moments = principal.eigenvalues();
  Eigen::Matrix3d axes = principal.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) *= -1;
  Vec3<double> size;
  double* const semi[] = {&size.x, &size.y, &size.z};
  for (int i = 0; i < 3; ++i) {
    const double squared = 2.5 / link.mass * (moments.sum() - 2 * moments[i]);
    // The moment of a thin plate is the sum of the other two, but for rounding.
    if (squared < -1e-6 * moments[2] / link.mass) return nullptr;
    *semi[i] = std::sqrt(std::max(0., squared));
  }
  const Mat3<double> R{axes(0, 0), axes(0, 1), axes(0, 2), axes(1, 0), axes(1, 1),
                       axes(1, 2), axes(2, 0), axes(2, 1), axes(2, 2)};
  return {{"size", to_json(size)}, {"pose", to_json(Pose<double>{R, link.com})}};
}

// A mesh in a file or a data URI; the page is not told the content of the latter twice.
json mesh_json(const std::string& from, const std::string& name, const Vec3<double>& scale, MeshFiles& meshes) {
  const auto path = from.empty() ? std::string() : meshes.add(from);
  return {{"kind", "mesh"},
          {"mesh", path.empty() ? json(nullptr) : json(path)},
          {"file", is_data_uri(name) ? data_uri_name(name) : name},
          {"scale", to_json(scale)}};
}

json shape_json(const Shape& shape, MeshFiles& meshes) {
  switch (shape.kind) {
    case Shape::Kind::box:
      return {{"kind", "box"}, {"size", to_json(shape.size)}};
    case Shape::Kind::sphere:
      return {{"kind", "sphere"}, {"radius", shape.radius}};
    case Shape::Kind::cylinder:
      return {{"kind", "cylinder"}, {"radius", shape.radius}, {"length", shape.length}};
    case Shape::Kind::capsule:
      return {{"kind", "capsule"}, {"radius", shape.radius}, {"length", shape.length}};
    case Shape::Kind::ellipsoid:
      return {{"kind", "ellipsoid"}, {"radii", to_json(shape.size)}};
    case Shape::Kind::plane:
      return {{"kind", "plane"}, {"size", {shape.size.x, shape.size.y}}};
    case Shape::Kind::height_field: {
      const auto surface = mesh::height_surface(shape);
      const auto file =
          surface.empty() ? "" : to_data_uri("model/obj", data_uri_name(shape.file), mesh::to_obj(surface));
      return mesh_json(file, shape.file, {1, 1, 1}, meshes);
    }
    case Shape::Kind::mesh:
      break;
  }
  return mesh_json(shape.path, shape.file, shape.scale, meshes);
}

json geometries(const std::vector<Geometry>& all, MeshFiles& meshes) {
  json list = json::array();
  for (const auto& g : all) {
    // The page has a ground of its own; a plane without end would only make the robot small in the picture.
    if (g.shape.kind == Shape::Kind::plane && g.shape.size.x == 0 && g.shape.size.y == 0) continue;
    json color = nullptr;
    if (g.material) color = {g.material->color.r, g.material->color.g, g.material->color.b, g.material->color.a};
    list.push_back({{"name", g.name},
                    {"origin", to_json(g.origin)},
                    {"color", std::move(color)},
                    {"shape", shape_json(g.shape, meshes)}});
  }
  return list;
}

json links(const Model& model, MeshFiles& meshes) {
  json list = json::array();
  for (const auto& link : model.links()) {
    const auto& d = model.link_description(link.name);
    list.push_back({{"name", link.name},
                    {"mass", link.mass},
                    {"com", to_json(d.com)},
                    {"ellipsoid", ellipsoid(d)},
                    {"visuals", geometries(d.visuals, meshes)},
                    {"collisions", geometries(d.collisions, meshes)}});
  }
  return list;
}

// The motion of a joint as a sequence of simple ones.
json moves(const Model& model, const Joint& joint, const JointDescription& d) {
  int q = joint.q_index;
  double ratio = 1, offset = 0;
  if (joint.follows) {
    q = model.joints()[std::size_t(joint.follows->joint)].q_index;
    ratio = joint.follows->ratio, offset = joint.follows->offset;
  }
  json all = json::array();
  for (const JointPart& part : joint_traits(joint.type).parts) {
    if (part.by_pitch) q -= 1;  // it shares the coordinate of the part before it
    const double factor = part.by_pitch ? d.pitch : 1;
    if (part.type == JointType::spherical)
      all.push_back({{"kind", "quaternion"}, {"q", q}});
    else
      all.push_back({{"kind", part.type == JointType::revolute ? "rotate" : "translate"},
                     {"axis", to_json(unit(direction_of(d, part.along)))},
                     {"q", q},
                     {"ratio", ratio * factor},
                     {"offset", offset * factor}});
    q += joint_traits(part.type).nq();
  }
  return all;
}

json joints(const Model& model) {
  std::unordered_map<std::string_view, const JointDescription*> described;
  for (const auto& d : model.description().joints) described[d.name] = &d;
  JointDescription base;  // one that the file does not have: at the world's origin
  base.axis = {0, 0, 1};
  json list = json::array();
  for (const auto& joint : model.joints()) {
    const auto found = described.find(joint.name);
    const auto& d = found != described.end() && found->second->child == joint.child ? *found->second : base;
    list.push_back(
        {{"name", joint.name},
         {"type", to_string(joint.type)},
         {"parent", link_index(model, joint.parent)},
         {"child", link_index(model, joint.child)},
         {"origin", to_json(d.origin)},
         {"axis", joint_traits(joint.type).axes > 0 ? to_json(unit(d.axis)) : json(nullptr)},
         {"moves", moves(model, joint, d)},
         {"q_index", joint.q_index},
         {"nq", joint.nq},
         {"v_index", joint.v_index},
         {"nv", joint.nv},
         {"follows", joint.follows ? json(model.joints()[std::size_t(joint.follows->joint)].name) : json(nullptr)}});
  }
  return list;
}

json coordinates(const Model& model) {
  json list = json::array();
  const auto columns = recording::configuration_columns(model);
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const auto& joint = model.joints()[j];
    const int quaternion = joint_traits(joint.type).quaternion();
    for (int k = 0; k < joint.nq; ++k) {
      const auto i = std::size_t(joint.q_index + k);
      list.push_back(
          {{"name", columns[i].name},
           {"unit", columns[i].unit},
           {"joint", j},
           {"lower", finite_or_null(model.lower()[i])},
           {"upper", finite_or_null(model.upper()[i])},
           {"quaternion", quaternion >= 0 && k >= quaternion ? json(joint.q_index + quaternion) : json(nullptr)}});
    }
  }
  return list;
}

json velocities(const Model& model) {
  json list = json::array();
  const auto columns = recording::velocity_columns(model);
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const auto& joint = model.joints()[j];
    for (int k = 0; k < joint.nv; ++k) {
      const auto i = std::size_t(joint.v_index + k);
      list.push_back({{"name", columns[i].name},
                      {"unit", columns[i].unit},
                      {"joint", j},
                      {"limit", finite_or_null(model.velocity_limit()[i])},
                      {"effort_limit", finite_or_null(model.effort_limit()[i])},
                      {"effort_unit", effort_unit(joint_traits(joint.type).v[std::size_t(k)].quantity)}});
    }
  }
  return list;
}

json named_frames(const Model& model) {
  json list = json::array();
  for (const auto& frame : model.description().frames)
    list.push_back({{"name", frame.name}, {"link", link_index(model, frame.link)}, {"origin", to_json(frame.origin)}});
  return list;
}

json loops(const Model& model) {
  const auto end = [&](const LoopEnd& e) {
    const auto at = on_link(model, e.frame);
    return json{{"link", at.link}, {"point", to_json((at.pose * e.placement).p)}};
  };
  json list = json::array();
  for (const auto& loop : model.loops()) list.push_back({{"name", loop.name}, {"a", end(loop.a)}, {"b", end(loop.b)}});
  return list;
}

std::vector<double> elements(const VectorIn& x) {
  return {x.data(), x.data() + x.size()};
}

}  // namespace

OnLink on_link(const Model& model, FrameId frame) {
  const auto& f = model.frame_at(frame);
  const int index = frame.index - 1;
  if (index >= 0 && index < int(model.links().size())) return {index, {}};
  for (const auto& d : model.description().frames)
    if (d.name == f.name) return {link_index(model, d.link), d.origin};
  return {-1, f.placement};
}

json robot_json(const Model& model, const VectorIn& q, MeshFiles& meshes) {
  return {{"name", model.name()},
          {"nq", model.nq()},
          {"nv", model.nv()},
          {"q", elements(q)},
          {"neutral", elements(neutral(model))},
          {"mass", model.mass()},
          {"gravity", to_json(model.gravity())},
          {"links", links(model, meshes)},
          {"joints", joints(model)},
          {"contacts", nullptr},
          {"frames", named_frames(model)},
          {"coordinates", coordinates(model)},
          {"velocities", velocities(model)},
          {"loops", loops(model)}};
}

json contacts_json(const Model& model, const RobotContacts& contacts) {
  json list = json::array();
  for (const auto& c : contacts.limbs) {
    json points = json::array();
    for (const auto& p : c.points) points.push_back(to_json(p));
    list.push_back({{"name", c.name},
                    {"role", to_string(c.role)},
                    {"link", link_index(model, c.link)},
                    {"pose", to_json(c.pose)},
                    {"points", std::move(points)},
                    {"radius", c.radius},
                    {"friction", c.friction},
                    {"why", c.why}});
  }
  return list;
}

}  // namespace lissom::view
