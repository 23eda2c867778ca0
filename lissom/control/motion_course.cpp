#include "lissom/control/motion_course.h"

#include <algorithm>

#include <Eigen/SVD>

#include "lissom/api/dynamics.h"
#include "lissom/api/kinematics.h"
#include "lissom/model/text.h"

namespace lissom::control {

namespace {

int contact_index(const MotionPlan& plan, const std::string& name) {
  for (std::size_t i = 0; i < plan.contacts.size(); ++i)
    if (name_of(plan.contacts[i]) == name || plan.contacts[i].frame == name) return int(i);
  return -1;
}

int known_contact(const MotionPlan& plan, const std::string& name) {
  const int index = contact_index(plan, name);
  if (index < 0) throw Error("no contact " + in_quotes(name) + " in motion " + in_quotes(plan.name));
  return index;
}

Vec3<double> com_target(const Model& model, const MotionPlan& plan, const CourseStage& s, Workspace& work) {
  const auto& stage = *s.stage;
  if (stage.com) return *stage.com;
  const auto own = stage.posture ? center_of_mass(model, work, s.posture) : s.com_from;
  if (stage.over.empty()) return own;
  Vec3<double> middle(0, 0, 0);
  for (const auto& name : stage.over)
    middle += (1.0 / double(stage.over.size())) * s.placements[std::size_t(known_contact(plan, name))].p;
  return Vec3<double>(middle.x, middle.y, own.z) + stage.offset;
}

}  // namespace

Pose<double> standing_placement(const Model& model, const Workspace& work, const Contact& c) {
  if (c.placement) return *c.placement;
  const auto X = placement(model, work, model.frame(c.frame));
  return {heading(X.R), {X.p.x, X.p.y, c.radius}};
}

int mobility(const Model& model, Workspace& work, FrameId frame) {
  constexpr double small = .02;  // singular values, of columns in m and rad: smaller ones do not count
  const auto& J = jacobian(model, work, frame);
  Eigen::MatrixXd columns(6, model.nv());
  int count = 0;
  for (const auto& joint : model.joints())
    for (int i = joint.v_index; joint.type != JointType::free && i < joint.v_index + joint.nv; ++i)
      if (J.col(i).squaredNorm() > 0) columns.col(count++) = J.col(i);
  if (count == 0) return 0;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(columns.leftCols(count));
  return int((svd.singularValues().array() > small).count());
}

std::vector<CourseStage> course_of(const Model& model, const MotionPlan& plan) {
  Workspace work(model);
  CourseStage s;
  s.posture = plan.posture(plan.start);
  s.com_to = center_of_mass(model, work, s.posture);
  forward_kinematics(model, work, s.posture);
  for (const auto& c : plan.contacts) s.placements.push_back(standing_placement(model, work, c));
  for (const auto& name : plan.standing) s.standing.push_back(known_contact(plan, name));
  std::vector<CourseStage> course;
  for (const auto& stage : plan.stages) {
    for (const auto& m : s.moves)  // those of the stage before have landed
      if (m.move->touch && m.contact >= 0) {
        s.placements[std::size_t(m.contact)] = m.to;
        if (std::ranges::find(s.standing, m.contact) == s.standing.end()) s.standing.push_back(m.contact);
      }
    s.stage = &stage;
    s.before = s.standing;
    for (const auto& name : stage.release) std::erase(s.standing, known_contact(plan, name));
    s.com_from = s.com_to;
    if (stage.posture) s.posture = plan.posture(*stage.posture);
    s.com_to = com_target(model, plan, s, work);
    s.moves.clear();
    for (const auto& m : stage.moves) {
      const int contact = contact_index(plan, m.frame);
      const auto from = contact >= 0 ? s.placements[std::size_t(contact)] : Pose<double>{};
      s.moves.push_back({&m, m.to ? *m.to : Pose<double>{from.R, from.p + m.by}, contact});
    }
    course.push_back(s);
  }
  return course;
}

}  // namespace lissom::control
