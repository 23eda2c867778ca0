// Variants: reading parameters, and building a model for each row.
#include <thread>

#include "lissom/files/machine_memory.h"
#include "records.h"
#include "variants.h"

LISSOM_ENUM(lissom::python::Parameter::Kind, "mass", "com", "inertia", "origin", "length", "damping", "dry_friction",
            "spring_stiffness", "spring_rest", "armature", "velocity_limit", "effort_limit")

namespace lissom::python {

using Kind = Parameter::Kind;

namespace {

bool of_link(Kind kind) {
  return kind == Kind::mass || kind == Kind::com || kind == Kind::inertia;
}
bool per_dof(Kind kind) {
  return kind == Kind::damping || kind == Kind::dry_friction || kind == Kind::spring_stiffness ||
         kind == Kind::spring_rest || kind == Kind::velocity_limit || kind == Kind::effort_limit;
}

template <class Items>
int index_of(const Items& items, const std::string& name) {
  const auto found = std::ranges::find(items, name, [](const auto& item) { return item.name; });
  return found == items.end() ? -1 : int(found - items.begin());
}

PerDof* property(JointDescription& joint, Kind kind) {
  switch (kind) {
    case Kind::damping:
      return &joint.damping;
    case Kind::dry_friction:
      return &joint.dry_friction;
    case Kind::spring_stiffness:
      return &joint.spring_stiffness;
    case Kind::spring_rest:
      return &joint.spring_rest;
    case Kind::velocity_limit:
      return &joint.velocity_limit;
    case Kind::effort_limit:
      return &joint.effort_limit;
    default:
      return nullptr;
  }
}

Mat3<double> mat3_at(const double* x, long row_stride) {
  return {x[0],
          x[1],
          x[2],
          x[row_stride],
          x[row_stride + 1],
          x[row_stride + 2],
          x[2 * row_stride],
          x[2 * row_stride + 1],
          x[2 * row_stride + 2]};
}

void set_origin(JointDescription& joint, const double* x, long width) {
  if (width == 3) {
    joint.origin.p = {x[0], x[1], x[2]};
    return;
  }
  joint.origin.R = mat3_at(x, 4);
  joint.origin.p = {x[3], x[7], x[11]};
  if (!is_rotation(joint.origin.R) || x[12] != 0 || x[13] != 0 || x[14] != 0 || x[15] != 1)
    throw Error("joint '" + joint.name + "': origin is not a pose, expected a 4 × 4 homogeneous matrix");
}

void set_length(JointDescription& joint, double length) {
  auto& p = joint.origin.p;
  const double before = std::sqrt(dot(p, p));
  if (!(before > 0))
    throw Error("joint '" + joint.name +
                "' is at its parent's origin, so its length has no direction; set its origin instead");
  if (!(length > 0))
    throw Error("joint '" + joint.name + "': length is " + std::to_string(length) + ", expected a positive number");
  const double factor = length / before;
  p = {factor * p.x, factor * p.y, factor * p.z};
}

void set_inertia(LinkDescription& link, const double* x) {
  const double scale = std::abs(x[0]) + std::abs(x[4]) + std::abs(x[8]);
  if (std::abs(x[1] - x[3]) + std::abs(x[2] - x[6]) + std::abs(x[5] - x[7]) > 1e-9 * scale)
    throw Error("link '" + link.name + "': inertia is not symmetric");
  link.inertia = {x[0], x[1], x[2], x[4], x[5], x[8]};
}

void set_mass(LinkDescription& link, double mass) {
  if (link.mass > 0 && mass >= 0) {
    const double f = mass / link.mass;
    const auto& I = link.inertia;
    link.inertia = {f * I.xx, f * I.xy, f * I.xz, f * I.yy, f * I.yz, f * I.zz};
  }
  link.mass = mass;
}

void apply(Description& description, const Parameter& p, long row) {
  const double* const x = p.row(row);
  const auto at = std::size_t(p.index);
  switch (p.kind) {
    case Kind::mass:
      return set_mass(description.links[at], *x);
    case Kind::com:
      description.links[at].com = {x[0], x[1], x[2]};
      return;
    case Kind::inertia:
      return set_inertia(description.links[at], x);
    case Kind::origin:
      return set_origin(description.joints[at], x, p.width);
    case Kind::length:
      return set_length(description.joints[at], *x);
    case Kind::armature:
      description.joints[at].armature = *x;
      return;
    default:
      *property(description.joints[at], p.kind) =
          p.width == 1 ? PerDof(*x) : PerDof(std::span(x, std::size_t(p.width)));
  }
}

// The shapes that one value may have.
std::vector<std::vector<long>> shapes(Kind kind, int nv) {
  if (kind == Kind::com) return {{3}};
  if (kind == Kind::inertia) return {{3, 3}};
  if (kind == Kind::origin) return {{3}, {4, 4}};
  if (per_dof(kind) && nv > 1) return {{}, {long(nv)}};
  return {{}};
}

// Finds how the array's shape reads: (count, value), or value alone, which is for all rows. One axis is that of rows
// where a number would do.
void read_values(Parameter& p, const std::string& name, nb::handle object, int nv, long& count) {
  const nb::object array =
      nb::module_::import_("numpy").attr("ascontiguousarray")(real_array(name.c_str(), object), "float64");
  // (ascontiguousarray makes one axis of a number without axes.)
  const nb::object shape = real_array(name.c_str(), object).attr("shape");
  std::vector<long> given;
  for (const auto n : shape) given.push_back(nb::cast<long>(n));
  std::string expected;
  for (const auto& one : shapes(p.kind, nv)) {
    std::vector<long> many = one;
    many.insert(many.begin(), count);
    const bool same_for_all = given == one;
    const bool each = given.size() == many.size() && std::equal(given.begin() + 1, given.end(), one.begin()) &&
                      (count < 0 || given[0] == count);
    std::string text = "(" + (count < 0 ? std::string("rows") : std::to_string(count)) + ",";
    for (const long n : one) text += " " + std::to_string(n) + ",";
    text.back() = ')';
    if (one.empty()) text.insert(text.size() - 1, ",");
    expected += (expected.empty() ? "" : " or ") + text;
    if (!each && !same_for_all) continue;
    p.width = 1;
    for (const long n : one) p.width *= n;
    if (each) count = given[0];
    p.stride = each ? p.width : 0;
    const double* const data = data_of(array);
    p.values.assign(data, data + p.width * (each ? count : 1));
    return;
  }
  throw Error(name + " has the shape " + shape_text(given) + ", expected " + expected);
}

}  // namespace

Parameter read_parameter(const BoundModel& model, const std::string& name, nb::handle values, long& count) {
  const auto dot_at = name.rfind('.');
  const std::string owner = name.substr(0, dot_at);
  if (dot_at == std::string::npos)
    throw Error("'" + name +
                "' is no parameter, expected LINK.mass, LINK.com, LINK.inertia, JOINT.origin, JOINT.damping, …");
  Parameter p{
      .kind = value_of<Kind>(name.substr(dot_at + 1), ("'" + name + "'").c_str()), .owner = owner, .values = {}};
  int nv = 1;
  if (of_link(p.kind)) {
    (void)model.link(owner);  // it throws an Error with the nearest names
    p.index = index_of(model.description().links, owner);
  } else {
    nv = model.joint(owner).nv;
    p.index = index_of(model.description().joints, owner);
    if (p.index < 0)
      throw Error("'" + name + "': joint '" + owner + "' is that of the base, which is not in the description");
    if (nv == 0) nv = 1;
  }
  read_values(p, name, values, nv, count);
  return p;
}

Variants::Variants(const BoundModel& model, std::vector<Parameter> parameters, long count)
    : base_(model), bare_(model.description()), parameters_(std::move(parameters)), rows_(std::size_t(count)) {
  for (auto& link : bare_.links) link.visuals.clear(), link.collisions.clear();
  // Masses first, so that an inertia that is given is not scaled; origins before lengths.
  std::ranges::stable_sort(parameters_, {}, [](const Parameter& p) { return int(p.kind); });
  const MemoryWatch memory;
  for_all(count, 128, [&](const Model*, Workspace*, long i, long) {
    if (i % 16 == 0) memory.check(i, count, "variants");
    auto& row = rows_[std::size_t(i)];
    try {
      row.model = built(bare_, i);
      row.work = std::make_unique<Workspace>(*row.model);
    } catch (const Error& e) {
      row.failure = e.what();
    }
  });
}

Model Variants::built(Description description, long i) const {
  for (const auto& parameter : parameters_) apply(description, parameter, i);
  return build(description, base_.options()).with_gravity(base_.gravity());
}

Model Variants::model(long row) const {
  const auto& r = rows_[std::size_t(row)];
  if (!r.model) throw Error("row " + std::to_string(row) + " has no model: " + r.failure);
  return built(base_.description(), row);
}

std::vector<std::pair<long, std::string>> Variants::failed() const {
  std::vector<std::pair<long, std::string>> all;
  for (long i = 0; i < size(); ++i)
    if (!rows_[std::size_t(i)].failure.empty()) all.emplace_back(i, rows_[std::size_t(i)].failure);
  return all;
}

void Variants::for_all(long rows, long piece, const OnRows& f) {
  std::unique_lock lock(in_use_, std::defer_lock);
  {
    const nb::gil_scoped_release release;  // whoever has the lock may wait for the GIL
    lock.lock();
  }
  const long each = size() ? rows / size() : 0;
  in_pieces(size(), piece, [&](long first, long count) { on_threads(first, first + count, each, f); });
}

void Variants::on_threads(long begin, long end, long each, const OnRows& f) {
  const long wanted = batch_threads() ? batch_threads() : long(std::thread::hardware_concurrency()), n = end - begin;
  // A thread costs some 20 µs; a row, one or more.
  const long threads = std::clamp(n * each / 32, 1L, std::max(1L, wanted));
  python::on_threads(begin, n, threads, [&](long first, long last) {
    for (long i = first; i < last; ++i) {
      auto& row = rows_[std::size_t(i)];
      f(row.model ? &*row.model : nullptr, row.work.get(), i * each, (i + 1) * each);
    }
  });
}

}  // namespace lissom::python
