#pragma once
// Motion plans as Python has them: their lists and dictionaries are those of Python.
#include "lissom/control/run.h"
#include "whole_body.h"

namespace lissom::python {

template <>
inline constexpr bool fields_in_place<control::LimbMove> = true;

struct BoundStage {
  std::string name = {};
  double seconds = 1, hold = 0;
  std::optional<std::string> posture = {};
  Items<std::string> over = {};
  Vec3<double> offset = {0, 0, 0};
  std::optional<Vec3<double>> com = {};
  Items<std::string> release = {};
  Items<control::LimbMove> moves = {};
  double tolerance = control::Stage{}.tolerance, timeout = control::Stage{}.timeout;
};
template <>
inline constexpr bool fields_in_place<BoundStage> = true;

struct BoundGains : control::MotionGains {
  nb::dict stiffness_of_joints = {};
};
LISSOM_PYTHON_TYPE(BoundGains, "MotionGains")
LISSOM_PYTHON_TYPE(nb::dict, "dict[str, Any]")

struct BoundPlan {
  std::string name = {}, description = {};
  nb::dict postures = {};
  std::string start = {};
  Items<Contact> contacts = {};
  Items<std::string> standing = {};
  Items<control::Clearance> clearances = {};
  bool self_clearances = true;
  Items<BoundStage> stages = {};
  BoundGains gains = {};
};

struct BoundRunner {
  std::shared_ptr<ControlCore> core;
};

void bind_reports(nb::module_& control);
control::MotionPlan to_plan(const Model& model, const BoundPlan& plan);
BoundPlan from_plan(const control::MotionPlan& plan);
/// A MotionPlan, or the path of a motion file.
control::MotionPlan plan_of(const Model& model, nb::handle plan);

}  // namespace lissom::python
