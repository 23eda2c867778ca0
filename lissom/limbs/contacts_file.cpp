#include "lissom/limbs/contacts_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "lissom/files/replace_file.h"
#include "lissom/io/json_place.h"
#include "lissom/model/axes.h"
#include "lissom/model/text.h"

namespace lissom {

namespace {

using Json = nlohmann::ordered_json;

// Ten digits: as exact as files of robots are, and short enough to be edited.
double rounded(double x) {
  const double r = std::round(x * 1e9) / 1e9;
  return r == 0 ? 0 : r;
}
Json rounded(const Vec3<double>& v) {
  return {rounded(v.x), rounded(v.y), rounded(v.z)};
}
// 180° are written as a positive angle: rounded, it may be a little more, and is then read as a negative one.
double with_positive_pi(double angle) {
  return angle < 1e-9 - std::numbers::pi ? std::numbers::pi : angle;
}
Vec3<double> rpy(const Mat3<double>& R) {
  const double pitch = std::asin(std::clamp(-R.zx, -1.0, 1.0));
  if (std::abs(R.zx) > 1 - 1e-12) return {0, pitch, with_positive_pi(std::atan2(-R.xy, R.yy))};
  return {with_positive_pi(std::atan2(R.zy, R.zz)), pitch, with_positive_pi(std::atan2(R.yx, R.xx))};
}

Json to_json(const LimbContact& c) {
  Json out{{"name", c.name},
           {"role", to_string(c.role)},
           {"link", c.link},
           {"kind", to_string(c.kind)},
           {"position", rounded(c.pose.p)},
           {"rpy", rounded(rpy(c.pose.R))}};
  if (!c.points.empty()) {
    out["points"] = Json::array();
    for (const auto& p : c.points) out["points"].push_back({rounded(p.x), rounded(p.y)});
  }
  if (c.radius > 0) out["radius"] = rounded(c.radius);
  out["friction"] = c.friction;
  if (!c.why.empty()) out["why"] = c.why;
  return out;
}

class ContactsReader {
 public:
  ContactsReader(const Description& robot, const std::string& path) : robot_(robot) { found_.source = path; }

  RobotContacts read(const JsonPlace& top) {
    top.only({"robot", "contacts", "posture", "base_rpy", "remarks"});
    top["contacts"].each([&](const JsonPlace& p) { add(p); });
    if (found_.limbs.empty()) top["contacts"].fail("there is no contact, expected one or more");
    if (top.has("posture")) read_posture(top["posture"]);
    if (top.has("base_rpy")) {
      const auto a = top["base_rpy"].vec3();
      found_.base = rotation_rpy(a.x, a.y, a.z);
    }
    set_joints();
    return found_;
  }

 private:
  template <class List>
  void expect_known(const JsonPlace& p, const char* what, const List& list) const {
    const auto name = p.text();
    std::vector<std::string_view> names;
    for (const auto& x : list) names.push_back(x.name);
    if (std::ranges::find(names, name) != names.end()) return;
    const auto suggestion = did_you_mean(name, names);
    p.fail(std::string("no ") + what + " " + in_quotes(name) + " in the robot" +
           (suggestion.empty() ? "" : "; " + suggestion));
  }

  void add(const JsonPlace& p) {
    p.only({"name", "role", "link", "kind", "position", "rpy", "points", "radius", "friction", "why"});
    LimbContact c;
    c.name = p["name"].text(), c.link = p["link"].text();
    expect_known(p["link"], "link", robot_.links);
    const auto called = [&](const auto& x) { return x.name == c.name; };
    if (c.name.empty()) p["name"].fail("the name is empty");
    if (std::ranges::any_of(found_.limbs, called)) p["name"].fail("contact " + in_quotes(c.name) + " is given twice");
    if (std::ranges::any_of(robot_.links, called) || std::ranges::any_of(robot_.frames, called))
      p["name"].fail("the robot has a link or frame " + in_quotes(c.name) + "; choose another name");
    c.role = role(p["role"]);
    c.kind = kind(p["kind"]);
    if (p.has("position")) c.pose.p = p["position"].vec3();
    if (p.has("rpy")) {
      const auto a = p["rpy"].vec3();
      c.pose.R = rotation_rpy(a.x, a.y, a.z);
    }
    read_extent(p, c);
    if (p.has("why")) c.why = p["why"].text();
    found_.limbs.push_back(std::move(c));
  }

  static void read_extent(const JsonPlace& p, LimbContact& c) {
    if (p.has("friction")) c.friction = p["friction"].number();
    if (!(c.friction >= 0)) p["friction"].fail("found " + to_text(c.friction) + ", expected 0 or more");
    if (p.has("radius")) c.radius = p["radius"].number();
    if (!(c.radius >= 0) || !(c.radius < 10)) p["radius"].fail("found " + to_text(c.radius) + " m, expected 0 to 10");
    if (c.kind == ContactKind::point) {
      if (p.has("points")) p["points"].fail("a point has no corners; expected kind surface, or position and radius");
      return;
    }
    if (c.radius > 0) p["radius"].fail("a surface has no radius; expected kind point");
    p["points"].each([&](const JsonPlace& at) {
      const auto x = at.numbers();
      if (x.size() != 2) at.fail("found " + counted(x.size(), "number") + ", expected x and y in the contact's frame");
      c.points.push_back({x[0], x[1], 0});
    });
    if (c.points.size() < 3)
      p["points"].fail("found " + counted(c.points.size(), "corner") + ", expected three or more");
  }

  static ContactRole role(const JsonPlace& p) {
    const auto text = p.text();
    for (const auto known : {ContactRole::foot, ContactRole::hand, ContactRole::pad})
      if (text == to_string(known)) return known;
    p.fail("found " + in_quotes(text) + ", expected foot, hand or pad");
  }
  static ContactKind kind(const JsonPlace& p) {
    const auto text = p.text();
    for (const auto known : {ContactKind::surface, ContactKind::point})
      if (text == to_string(known)) return known;
    p.fail("found " + in_quotes(text) + ", expected surface or point");
  }

  void read_posture(const JsonPlace& p) {
    if (!p.value.is_object()) p.fail("found " + in_short(p.value) + ", expected joints and their positions { … }");
    for (const auto& item : p.value.items()) {
      const auto at = p[item.key()];
      const auto joint = std::ranges::find(robot_.joints, item.key(), &JointDescription::name);
      if (joint == robot_.joints.end()) at.fail("no joint " + in_quotes(item.key()) + " in the robot");
      const auto x = at.value.is_array() ? at.numbers() : std::vector<double>{at.number()};
      const auto expected = std::size_t(joint_traits(joint->type).nq());
      if (x.size() != expected)
        at.fail("found " + counted(x.size(), "number") + ", expected " + std::to_string(expected));
      found_.posture[item.key()] = x;
    }
  }

  // The joints from the root to the link, without those that all contacts share with another one.
  void set_joints() {
    const auto above = [&](const std::string& link) {
      const auto joint = std::ranges::find(robot_.joints, link, &JointDescription::child);
      return joint == robot_.joints.end() ? nullptr : &*joint;
    };
    for (auto& c : found_.limbs)
      for (const auto* joint = above(c.link); joint; joint = above(joint->parent))
        if (joint_traits(joint->type).nv() > 0 && joint->type != JointType::free)
          c.joints.insert(c.joints.begin(), joint->name);
    const auto all = found_.limbs;
    for (std::size_t k = 0; k < all.size(); ++k)
      std::erase_if(found_.limbs[k].joints, [&](const std::string& joint) {
        for (std::size_t i = 0; i < all.size(); ++i)
          if (i != k && all[i].link != all[k].link && std::ranges::find(all[i].joints, joint) != all[i].joints.end())
            return true;
        return false;
      });
  }

  const Description& robot_;
  RobotContacts found_;
};

}  // namespace

std::string contacts_file_of(const std::string& robot_file) {
  auto path = std::filesystem::path(robot_file);
  path.replace_extension(".contacts.json");
  return path.string();
}

RobotContacts read_contacts(const Description& robot, const std::string& path) {
  const auto json = read_json(path);
  return ContactsReader(robot, path).read(JsonPlace{json, path, ""});
}

std::string contacts_to_json(const Description& robot, const RobotContacts& contacts) {
  Json out{{"robot", robot.name}, {"contacts", Json::array()}, {"posture", Json::object()}};
  for (const auto& c : contacts.limbs) out["contacts"].push_back(to_json(c));
  for (const auto& [joint, q] : contacts.posture) {
    Json list = Json::array();
    for (const double x : q) list.push_back(rounded(x));
    out["posture"][joint] = q.size() == 1 ? list[0] : list;
  }
  if (const auto a = rpy(contacts.base); dot(a, a) > 0) out["base_rpy"] = rounded(a);
  if (!contacts.remarks.empty()) out["remarks"] = contacts.remarks;
  return out.dump(2) + "\n";
}

void write_contacts(const Description& robot, const RobotContacts& contacts, const std::string& path) {
  if (const auto why = replace_file(path, contacts_to_json(robot, contacts)); !why.empty())
    throw Error("the contacts cannot be written to " + in_quotes(path) + ": " + why);
}

}  // namespace lissom
