// What worlds are made of, and what they report.
#include "world_parts.h"

#include "energy.h"

namespace lissom::python {

using namespace nb::literals;
LISSOM_PYTHON_TYPE(ContactProperties, "ContactProperties")
LISSOM_PYTHON_TYPE(World::State::Drift, "WorldDrift")
LISSOM_PYTHON_TYPE(StepParameter, "StepParameter")
template <>
inline constexpr bool fields_in_place<BoundRigidBody> = true;
template <>
inline constexpr bool fields_in_place<World::Options> = true;

RigidBody to_rigid_body(const BoundRigidBody& body) {
  return {.name = body.name,
          .mass = body.mass,
          .inertia = body.inertia,
          .com = body.com,
          .shapes = body.shapes.values("shapes", "Geometry"),
          .pose = body.pose,
          .velocity = body.velocity,
          .angular_velocity = body.angular_velocity,
          .rounding = body.rounding};
}

namespace {

auto rigid_body_fields() {
  using B = BoundRigidBody;
  return std::tuple{Field{"name", &B::name, "Unique in its world."},
                    Field{"mass", &B::mass, "kg"},
                    Field{"inertia", &B::inertia, "About the center of mass, along the body's axes, 3 × 3, kg m²."},
                    Field{"com", &B::com, "Center of mass in the body's frame, m."},
                    Field{"shapes", &B::shapes, "In the body's frame; a list of Geometry."},
                    Field{"pose", &B::pose, "Where its frame starts, 4 × 4, or a pair (rotation matrix, position)."},
                    Field{"velocity", &B::velocity, "Of its center of mass, m/s."},
                    Field{"angular_velocity", &B::angular_velocity, "Along the world's axes, rad/s."},
                    Field{"rounding", &B::rounding, "Radius of the edges of boxes and hulls, m."}};
}

void bind_rigid_body(nb::module_& m) {
  auto c = bind_record<BoundRigidBody>(m, "RigidBody", "A rigid body that moves freely.", rigid_body_fields());
  c.def_static(
      "homogeneous",
      [](const std::string& name, const Shape& shape, double mass, const nb::kwargs& fields) {
        const auto made = RigidBody::homogeneous(name, shape, mass);
        BoundRigidBody body{
            .name = made.name, .mass = made.mass, .inertia = made.inertia, .shapes = items(made.shapes)};
        for (const auto [key, value] : fields)
          set_field("RigidBody", body, nb::cast<std::string>(key), value, rigid_body_fields());
        return body;
      },
      "name"_a, "shape"_a, "mass"_a, "fields"_a,
      nb::sig("def homogeneous(name: str, shape: Shape, mass: float, **fields: Any) -> RigidBody"),
      "A homogeneous body of one box, sphere, cylinder, capsule or ellipsoid. fields: pose, velocity and so on.");
}

void bind_settings(nb::module_& m) {
  using P = ContactProperties;
  bind_record<P>(
      m, "ContactProperties", "How two surfaces touch.",
      std::tuple{Field{"friction", &P::friction, "Coulomb's coefficient, while they touch."},
                 Field{"impact_friction", &P::impact_friction, "In impacts; None: the same."},
                 Field{"restitution", &P::restitution, "0: plastic, 1: elastic."},
                 Field{"torsional_friction", &P::torsional_friction,
                       "The largest torque about the normal over the normal force, m."},
                 Field{"rolling_friction", &P::rolling_friction,
                       "The largest torque about the tangents over the normal force, m."},
                 Field{"law", &P::law,
                       "How a restitution e > 0 acts. newton: the normal velocity after an impact is -e times "
                       "that before it. impulse: the impulse is 1 + e times that of the plastic impact, so it "
                       "stays in the friction cone."}});
  using S = RobotSettings;
  bind_record<S>(
      m, "RobotSettings", "What of a robot's description acts in a world.",
      std::tuple{Field{"joint_limits", &S::joint_limits, "Position limits."},
                 Field{"dry_friction", &S::dry_friction, "Of joints: exact, with stiction."},
                 Field{"damping", &S::damping, "Of joints, implicitly."}, Field{"springs", &S::springs, "Of joints."},
                 Field{"effort_limits", &S::effort_limits,
                       "Motor torques (tau and servos) stay within the effort limits of the joints."},
                 Field{"loops", &S::loops, "The robot's closed loops hold."},
                 Field{"self_collision", &S::self_collision, "Of links that are not neighbors in the tree."}});
  using V = Servos;
  bind_record<V>(
      m, "Servos",
      "A position and velocity servo on each degree of freedom, which acts implicitly, so that stiff gains are "
      "stable: torque = stiffness (q_target - q) + damping (v_target - v) at the end of the step, within the "
      "effort limits, besides tau.",
      std::tuple{Field{"stiffness", &V::stiffness, "(nv,), N m/rad; 0 where there is none."},
                 Field{"damping", &V::damping, "(nv,), N m s/rad"}, Field{"q_target", &V::q_target, "(nq,)"},
                 Field{"v_target", &V::v_target, "(nv,); empty: 0."}});
  using O = World::Options;
  bind_record<O>(
      m, "WorldOptions", "How a world is simulated.",
      std::tuple{
          Field{"gravity", &O::gravity, "m/s²"},
          Field{"tolerance", &O::tolerance, "On the residual of the contact laws, m/s."},
          Field{"acceptable", &O::acceptable, "A step with a larger residual has not converged, m/s."},
          Field{"max_sweeps", &O::max_sweeps, "Of the solver, before it takes Newton steps."},
          Field{"max_factorizations", &O::max_factorizations, "Newton steps at most."},
          Field{"max_dense_rows", &O::max_dense_rows,
                "Islands with at most this many rows are solved with Newton steps, larger ones by sweeps, which Newton "
                "steps follow up to 600 rows. 0: sweeps alone."},
          Field{"max_sweeps_of_large_islands", &O::max_sweeps_of_large_islands,
                "Of islands with more than max_dense_rows rows, which are solved by sweeps alone."},
          Field{"margin", &O::margin, "Least distance at which pairs are looked at, m."},
          Field{"allowed_overlap", &O::allowed_overlap,
                "Deeper overlaps, and joints farther beyond their limits, are removed by displacements, m or rad."},
          Field{"conserve", &O::conserve,
                "Momentum of floating robots and energy of all robots follow from what acts on them, to rounding."},
          Field{"stepping", &O::stepping,
                "trapezoid: forces at mid-step, positions move with the mean velocity. semi_implicit_euler: forces at "
                "the "
                "beginning, positions move with the velocity after the step."},
          Field{"default_properties", &O::default_properties, "Of pairs for which nothing else was set."},
          Field{"audit", &O::audit, "Whether StepReport.work says what a step did to the energy."}});
}

void bind_results(nb::module_& m) {
  using R = ContactReading;
  bind_result<R>(m, "ContactReading", "A contact at the end of a step.",
                 std::tuple{Field{"a", &R::a, "'robot/link', 'body', 'ground'"}, Field{"b", &R::b, "The other one."},
                            Field{"point", &R::point, "In the world, m."},
                            Field{"normal", &R::normal, "In the world; it points from b to a."},
                            Field{"gap", &R::gap, "m; negative: overlap."},
                            Field{"force", &R::force, "On a, mean over the step, N."},
                            Field{"slip", &R::slip, "Tangential speed, m/s."}});
  using W = RowReading;
  bind_result<W>(m, "RowReading", "A row of a step: a contact, or what a robot's joints and loops have by themselves.",
                 std::tuple{Field{"name", &W::name, "'contact of box and ground', 'upper limit of knee of dog'."},
                            Field{"residual", &W::residual, "How far it is from its law."},
                            Field{"unit", &W::unit, "Of that: m/s or rad/s."}});
  using S = StepReport;
  bind_result<S>(
      m, "StepReport", "What happened in a step, or in several of them.",
      std::tuple{Field{"contacts", &S::contacts, "Points that touch or nearly do, in the last step."},
                 Field{"sweeps", &S::sweeps, "Of the solver, over all islands."},
                 Field{"factorizations", &S::factorizations, "Newton steps, over all islands."},
                 Field{"residual", &S::residual, "Largest violation of the contact laws, m/s."},
                 Field{"impact", &S::impact, "Somebody struck."},
                 Field{"moved_apart", &S::moved_apart, "A deep overlap was removed, without effect on velocities."},
                 Field{"converged", &S::converged, "All residuals were acceptable."},
                 Field{"work", &S::work, "What it did to the energy, where WorldOptions.audit asks for it, J."}});
  using I = ImuReading;
  bind_result<I>(m, "ImuReading", "What an inertial measurement unit shows, along its axes.",
                 std::tuple{Field{"angular_velocity", &I::angular_velocity, "rad/s"},
                            Field{"specific_force", &I::specific_force, "Acceleration minus gravity, m/s²."}});
  using D = World::State::Drift;
  bind_result<D>(m, "WorldDrift", "How far one of two bodies has moved along the other although they stick.",
                 std::tuple{Field{"bodies", &D::bodies, "Which two."}, Field{"center", &D::center, "m"},
                            Field{"displacement", &D::displacement, "Of the center, m."},
                            Field{"rotation", &D::rotation, "About the center, rad."}});
  using X = World::State;
  bind_result<X>(
      m, "WorldState", "Everything that the next steps of a world depend on. It can be pickled.",
      std::tuple{Field{"time", &X::time, "s"},
                 Field{"q", &X::q, "Of bodies and robots, in the order in which they were added."},
                 Field{"v", &X::v, "The same."}, Field{"tau", &X::tau, "The same."},
                 Field{"a", &X::a, "Accelerations, from which a step predicts."},
                 Field{"impulses", &X::impulses, "Of the last step, by contact."},
                 Field{"drifts", &X::drifts, "Of bodies that stick."},
                 Field{"momentum", &X::momentum, "That robots carry while they fly; empty for others."},
                 Field{"external", &X::external, "Forces on robots from outside; empty for bodies."}},
      +[](const X& x) {
        return "WorldState(time=" + to_text(x.time) + ", " + std::to_string(x.q.size()) + " bodies and robots, " +
               std::to_string(x.impulses.size()) + " impulses)";
      });
}

void bind_derivatives_of_steps(nb::module_& m) {
  using P = StepParameter;
  bind_record<P>(
      m, "StepParameter", "A number that a step of a world depends on, besides state and forces.",
      std::tuple{Field{"kind", &P::kind,
                       "friction: Coulomb's coefficient of the contacts between a and b. mass: the factor of "
                       "scale_masses on a, at 1."},
                 Field{"a", &P::a, "A body, robot or fixed shape, '' for any; of a mass also a link ('robot/link')."},
                 Field{"b", &P::b, "The other one of a friction; '' for any."}});
  using D = StepDerivatives;
  bind_result<D>(
      m, "StepDerivatives",
      "Derivatives of a step of a world in the tangent space, x = (δq, δv) of all bodies and robots in the order in "
      "which they were added: x⁺ = A x + B δtau + P δparameters, inside the modes of the contacts.",
      std::tuple{Field{"parameters", &D::parameters, "Which ones P is for."}, Field{"A", &D::A, "(2N, 2N)"},
                 Field{"B", &D::B, "(2N, N)"}, Field{"P", &D::P, "(2N, parameters)"},
                 Field{"modes", &D::modes, "Of the contacts that acted: 'sticks' or 'slides'."},
                 Field{"border", &D::border, "How far impulses and velocities are from another mode, m/s."},
                 Field{"gap_border", &D::gap_border, "The least |gap| of what touches, m or rad."}},
      +[](const D& d) {
        return "StepDerivatives(A: " + std::to_string(d.A.rows()) + " × " + std::to_string(d.A.cols()) + ", " +
               std::to_string(d.modes.size()) + " contacts, border=" + to_text(d.border) + ")";
      });
}

}  // namespace

void bind_world_parts(nb::module_& m) {
  bind_rigid_body(m);
  bind_settings(m);
  bind_results(m);
  bind_derivatives_of_steps(m);
}

}  // namespace lissom::python
