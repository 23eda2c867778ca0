#include "lissom/limbs/touch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "lissom/geometry/contact_polygon.h"
#include "lissom/geometry/vectors.h"
#include "lissom/limbs/names.h"
#include "lissom/math/dense.h"
#include "lissom/model/text.h"

namespace lissom::limbs {

namespace {

constexpr double small_face = .004;  // of the leg's length squared: a smaller face is a point
constexpr double line_width = .02;   // m, of a foot that touches along a line

// Directions of the world in coordinates of the body.
struct Axes {
  Vec3<double> down, forward;
  explicit Axes(const Body& body)
      : down(transpose_times(body.pose.R, Vec3<double>(0, 0, -1))),
        forward(transpose_times(body.pose.R, Vec3<double>(1, 0, 0))) {}
};

std::string millimeters(double m) {
  return std::to_string(int(std::lround(1e3 * m))) + " mm";
}
std::string size_of(const std::vector<Vec3<double>>& points) {
  double x0 = 0, x1 = 0, y0 = 0, y1 = 0;
  for (const auto& p : points)
    x0 = std::min(x0, p.x), x1 = std::max(x1, p.x), y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
  return std::to_string(int(std::lround(1e3 * (x1 - x0)))) + " × " + millimeters(y1 - y0);
}

// The sphere nearest to points, by least squares, if they lie on it to 3 % of its radius, and it is no larger than
// `largest`. Four points lie on a sphere always, and those of a circle on many: at least eight have to be there, which
// differ in their position along the leg.
std::optional<Core> sphere_through(const std::vector<Vec3<double>>& points, const Vec3<double>& along, double largest) {
  if (points.size() < 8) return {};
  Eigen::MatrixXd A(points.size(), 4);
  Eigen::VectorXd b(points.size());
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const auto p = points[std::size_t(i)] - points[0];
    A.row(i) << 2 * p.x, 2 * p.y, 2 * p.z, 1;
    b[i] = dot(p, p);
  }
  const Eigen::Vector4d x = dense::least_squares(A, b);
  const double square = x[3] + x.head<3>().squaredNorm();
  if (!(square > 0) || !(std::sqrt(square) < largest)) return {};
  Core found{points[0] + Vec3<double>(x[0], x[1], x[2]), std::sqrt(square)};
  double low = 0, high = 0;
  for (const auto& p : points) {
    const auto d = p - found.at;
    if (std::abs(collision::norm(d) - found.radius) > .03 * found.radius) return {};
    low = std::min(low, dot(d, along)), high = std::max(high, dot(d, along));
  }
  if (high - low < .5 * found.radius) return {};
  return found;
}

class FootFinder {
 public:
  FootFinder(const BodyTree& tree, const Limb& leg, int joints)
      : tree_(tree), leg_(leg), body_(tree.body(leg.end)), axes_(body_), joints_(joints) {}

  Touch run() {
    const auto& shape = body_.shape;
    if (!shape.missing.empty() && shape.source != ShapeSource::collision)
      remarks_.push_back("the mesh of the foot was not found, so its shape is not known");
    Touch touch = joints_ <= 3 ? ball() : sole();
    touch.remarks.insert(touch.remarks.begin(), remarks_.begin(), remarks_.end());
    return touch;
  }

 private:
  const std::string& frame_name(int f) const { return tree_.model().frames()[std::size_t(f)].name; }
  Vec3<double> frame_at(int f) const { return tree_.model().frames()[std::size_t(f)].placement.p; }

  std::string seen() const {
    return body_.shape.source == ShapeSource::visual ? "visual shapes (it has no collision shapes)"
           : body_.shape.has_mesh                    ? "collision meshes"
                                                     : "collision shapes";
  }

  Touch sole() {
    const auto& shape = body_.shape;
    if (!shape.cores.empty()) {
      auto face = lowest_face(shape, axes_.down);
      if (face.area > small_face * leg_.length * leg_.length || (face.area > 0 && joints_ >= 5 && wide(face))) {
        auto touch = surface(face, axes_.forward);
        touch.why = "lowest face of its " + seen() + ", " + size_of(touch.points);
        check_sole_frames(face);
        return touch;
      }
      if (joints_ >= 5)
        if (auto touch = line(); !touch.points.empty()) return touch;
      return ball();
    }
    auto touch = sole_of_frames();
    if (touch.points.empty()) touch = sole_of_inertia();
    if (touch.points.empty()) touch = assumed_sole();
    return touch;
  }

  // Whether a face is no line: a fifth as wide as it is long.
  bool wide(const Face& face) const {
    double longest = 0;
    for (const auto& a : face.corners)
      for (const auto& b : face.corners) longest = std::max(longest, dot(a - b, a - b));
    return face.area > .05 * longest;
  }

  // The two points that are farthest apart: toe and heel of a foot that is narrow as a blade. The robot need not stand
  // on them in the upright posture: the ground is on the other side than the ankle.
  Touch line() {
    const Core *toe = nullptr, *heel = nullptr;
    double longest = .05 * leg_.length;
    for (const auto& a : body_.shape.cores)
      for (const auto& b : body_.shape.cores)
        if (const double length = collision::norm(a.at - b.at); length > longest) longest = length, toe = &a, heel = &b;
    if (!toe) return {};
    const auto ankle = tree_.model().link(body_.link).placement.p;
    const auto ahead = dot(axes_.forward, toe->at - heel->at);
    const bool lies = std::abs(ahead) > .5 * longest;
    if (lies ? ahead < 0 : collision::norm(toe->at - ankle) < collision::norm(heel->at - ankle)) std::swap(toe, heel);
    const auto along = (1 / longest) * (toe->at - heel->at);
    auto down = heel->at - ankle;
    down = down - dot(down, along) * along;
    if (collision::norm(down) < .05 * longest) down = axes_.down - dot(axes_.down, along) * along;
    down = collision::unit_or(down, axes_.down);
    const auto side = cross(down, along);
    Face face{.normal = down, .height = dot(down, toe->at) + toe->radius};
    const double half = std::max(line_width, toe->radius) / 2;
    for (const auto* end : {toe, heel})
      for (const double y : {-half, half}) face.corners.push_back(end->at + y * side);
    auto touch = surface(face, along);
    touch.why = "the line through the farthest points of its " + seen() + ", " + size_of(touch.points);
    remarks_.push_back("it touches along a line; its face is taken as " + millimeters(2 * half) + " wide");
    return touch;
  }

  // A frame that is called a sole, but lies somewhere else.
  void check_sole_frames(const Face& face) {
    for (const int f : body_.frames) {
      if (!has_word(frame_name(f), {"sole"})) continue;
      const double above = face.height - dot(face.normal, frame_at(f));
      if (std::abs(above) > 3e-3)
        remarks_.push_back("frame " + in_quotes(frame_name(f)) + " lies " + millimeters(std::abs(above)) +
                           (above > 0 ? " above" : " below") + " the sole that the shapes have; the shapes count");
    }
  }

  // The height at which the file has a sole, along the direction down; empty if it names none.
  const int* named_sole() const {
    const int* best = nullptr;
    for (const int& f : body_.frames)
      if (has_word(frame_name(f), {"sole"}) && (!best || dot(axes_.down, frame_at(f) - frame_at(*best)) > 0)) best = &f;
    return best;
  }

  // Frames near the sole, such as those of force sensors, span a polygon.
  Touch sole_of_frames() {
    std::vector<Core> points;
    for (const int f : body_.frames) points.push_back({frame_at(f)});
    auto face = face_along(points, axes_.down, .01);
    if (face.area < small_face * leg_.length * leg_.length) return {};
    make_rectangle(face);
    auto touch = surface(face, axes_.forward);
    touch.why = "rectangle around the lowest frames that are fixed to it, " + size_of(touch.points);
    remarks_.push_back(
        "the sole is an estimate from frames that are fixed to the foot; write the true one to the "
        "contacts file");
    return touch;
  }

  // A heel with one sensor in its middle is as wide as the toes.
  void make_rectangle(Face& face) const {
    const auto side = cross(axes_.down, axes_.forward);
    double x0 = 1e9, x1 = -1e9, y0 = 1e9, y1 = -1e9;
    for (const auto& p : face.corners) {
      const double x = dot(p, axes_.forward), y = dot(p, side);
      x0 = std::min(x0, x), x1 = std::max(x1, x), y0 = std::min(y0, y), y1 = std::max(y1, y);
    }
    face.corners.clear();
    for (const double x : {x0, x1})
      for (const double y : {y0, y1}) face.corners.push_back(x * axes_.forward + y * side + face.height * axes_.down);
  }

  // The box of even density that has the mass and the inertia of the link.
  Touch sole_of_inertia() {
    const auto& link = tree_.model().link_description(body_.link);
    const auto& I = link.inertia;
    if (!(link.mass > 0)) return {};
    const auto edge = [&](double others, double own) {
      return std::sqrt(std::max(0.0, 6 * (others - own) / link.mass));
    };
    const Vec3<double> size(edge(I.yy + I.zz, I.xx), edge(I.xx + I.zz, I.yy), edge(I.xx + I.yy, I.zz));
    const double longest = std::max({size.x, size.y, size.z}), shortest = std::min({size.x, size.y, size.z});
    if (longest < .12 * leg_.length || longest > .5 * leg_.length || shortest < .1 * longest) return {};
    const auto in_body = tree_.model().link(body_.link).placement;
    std::vector<Core> corners;
    for (const double x : {-.5, .5})
      for (const double y : {-.5, .5})
        for (const double z : {-.5, .5})
          corners.push_back({in_body * (link.com + Vec3<double>(x * size.x, y * size.y, z * size.z))});
    auto face = lowest_face({.cores = corners}, axes_.down);
    if (face.corners.empty()) return {};
    move_to_named_sole(face);
    auto touch = surface(face, axes_.forward);
    touch.why = "box of the link's mass and inertia, " + size_of(touch.points);
    remarks_.push_back("the sole is an estimate from the link's inertia; write the true one to the contacts file");
    return touch;
  }

  void move_to_named_sole(Face& face) const {
    const auto* sole = named_sole();
    if (!sole) return;
    const double by = dot(face.normal, frame_at(*sole)) - face.height;
    face.height += by;
    for (auto& p : face.corners) p += by * face.normal;
  }

  // As large as the foot of a person with legs of this length.
  Touch assumed_sole() {
    const auto in_body = tree_.model().link(body_.link).placement;
    const auto ankle = in_body.p;
    const double l = leg_.length;
    const auto side = cross(axes_.down, axes_.forward);
    Face face{.normal = axes_.down, .height = dot(axes_.down, ankle) + .09 * l};
    const auto* sole = named_sole();
    const auto middle = sole ? frame_at(*sole) : ankle + .03 * l * axes_.forward;
    for (const double x : {-.14, .14})
      for (const double y : {-.06, .06}) face.corners.push_back(middle + l * (x * axes_.forward + y * side));
    if (sole) face.height = dot(axes_.down, frame_at(*sole));
    auto touch = surface(face, axes_.forward);
    touch.why = std::string(sole ? "frame " + in_quotes(frame_name(*sole)) : "assumed below the last joint") +
                ", with a size as people's feet have, " + size_of(touch.points);
    remarks_.push_back(
        "the size of the sole is assumed, because the file has no shape of it; write the true one to the "
        "contacts file");
    return touch;
  }

  // The sphere at the end of the leg, the ball that its mesh is, or the last frame.
  Touch ball() {
    const auto& cores = body_.shape.cores;
    const auto last = tree_.model().link(body_.link).placement.p;
    const auto far = [&](const Core& c) { return std::sqrt(dot(c.at - last, c.at - last)) + c.radius; };
    const Core* best = nullptr;
    double reach = 0;
    for (const auto& c : cores) reach = std::max(reach, far(c));
    for (const auto& c : cores)
      if (c.radius > 0 && far(c) > .8 * reach && (!best || far(c) > far(*best))) best = &c;
    Touch touch{.kind = ContactKind::point};
    touch.frame.R = upright();
    if (best) {
      touch.frame.p = best->at, touch.radius = best->radius;
      touch.why = "ball of radius " + millimeters(best->radius) + " at the end of the leg";
      return touch;
    }
    if (const auto* frame = end_frame(last); frame && (cores.empty() || !body_.shape.has_mesh)) {
      touch.frame.p = frame_at(*frame);
      touch.why = "frame " + in_quotes(frame_name(*frame)) + " at the end of the leg";
    }
    if (!cores.empty()) {
      std::vector<Vec3<double>> end;
      for (const auto& c : cores)
        if (far(c) > reach - .06 * leg_.length) end.push_back(c.at);
      if (const auto fitted = sphere_through(end, collision::unit_or(end[0] - last, axes_.down), .06 * leg_.length)) {
        touch.frame.p = fitted->at, touch.radius = fitted->radius;
        touch.why = "ball of radius " + millimeters(fitted->radius) + " that fits the end of its " + seen();
        return touch;
      }
      std::erase_if(end, [&](const auto& p) { return collision::norm(p - last) < reach - .01 * leg_.length; });
      touch.frame.p = {0, 0, 0};
      for (const auto& p : end) touch.frame.p += (1 / double(end.size())) * p;
      touch.why = "end of its " + seen();
    } else if (touch.why.empty()) {
      touch.frame.p = last, touch.why = "origin of the link";
    }
    remarks_.push_back("the foot is taken as a point without a radius, because the file has no ball there");
    return touch;
  }

  // The frame that is farthest from the last joint, those that are called a foot preferred.
  const int* end_frame(const Vec3<double>& from) const {
    const int* best = nullptr;
    double farthest = .02 * leg_.length;
    for (const int& f : body_.frames) {
      const auto d = frame_at(f) - from;
      const double away = std::sqrt(dot(d, d)) * (names_sole(frame_name(f)) ? 2 : 1);
      if (away > farthest) farthest = away, best = &f;
    }
    return best;
  }

  // Axes of the world: a ball has no face.
  Mat3<double> upright() const { return transpose(body_.pose.R); }

  const BodyTree& tree_;
  const Limb& leg_;
  const Body& body_;
  Axes axes_;
  int joints_;
  std::vector<std::string> remarks_;
};

}  // namespace

Touch find_foot(const BodyTree& tree, const Limb& leg, int joints) {
  return FootFinder(tree, leg, joints).run();
}

Touch find_hand(const BodyTree& tree, const Limb& arm) {
  const auto& body = tree.body(arm.end);
  const auto& model = tree.model();
  const auto& frames = model.frames();
  const auto wrist = model.link(body.link).placement.p;
  for (const int f : body.frames) {
    const auto& frame = frames[std::size_t(f)];
    if (!has_word(frame.name, {"palm", "hand", "grip"})) continue;
    const auto polygon = find_contact_polygon(model, CollisionGeometry(model), {f});
    if (polygon.empty()) continue;
    Touch touch{.kind = ContactKind::surface, .frame = frame.placement, .points = polygon};
    touch.why = "face of its collision boxes in the plane of frame " + in_quotes(frame.name) + ", " + size_of(polygon);
    return touch;
  }
  // Otherwise the point that is farthest from the wrist.
  Touch touch{.kind = ContactKind::point, .why = "origin of the link"};
  touch.frame.p = wrist;
  double farthest = 0;
  for (const auto& c : body.shape.cores) {
    const double away = std::sqrt(dot(c.at - wrist, c.at - wrist)) + c.radius;
    if (away > farthest)
      farthest = away, touch.frame.p = c.at, touch.radius = c.radius, touch.why = "farthest point of the hand";
  }
  for (const int f : body.frames) {
    const auto& frame = frames[std::size_t(f)];
    const double away = collision::norm(frame.placement.p - wrist);
    const bool counts = farthest == 0 || has_word(frame.name, {"hand", "palm", "grip", "tool", "tcp"});
    if (!counts || away <= 1.2 * farthest) continue;
    farthest = away, touch.frame.p = frame.placement.p, touch.radius = 0;
    touch.why = "frame " + in_quotes(frame.name) + ", the farthest from the wrist";
  }
  // z points from there to the wrist: the hand leans on its end.
  const auto back = wrist - touch.frame.p;
  if (const double l = std::sqrt(dot(back, back)); l > 1e-6) {
    const auto z = (1 / l) * back;
    auto x = transpose_times(body.pose.R, Vec3<double>(1, 0, 0));
    x = x - dot(x, z) * z;
    if (dot(x, x) < .01) x = transpose_times(body.pose.R, Vec3<double>(0, 1, 0)), x = x - dot(x, z) * z;
    x = (1 / std::sqrt(dot(x, x))) * x;
    touch.frame.R = transpose(from_rows(x, cross(z, x), z));
  }
  return touch;
}

}  // namespace lissom::limbs
