// Measures MuJoCo's smooth dynamics, part by part, with the library of its Python package. MuJoCo works in stages, each
// of which uses the results of those before; each row here runs the stages that its quantity needs, beginning with q.
// Constraints, contacts, passive forces, actuators and sensors are left out, as in lissom's rows.
#include <memory>
#include <mujoco/mujoco.h>

#include "../harness.h"

namespace {

using harness::states;

struct States {
  std::vector<std::vector<mjtNum>> q, v, a, tau;

  explicit States(const mjModel& m) {
    harness::Random random;
    for (int i = 0; i < states; ++i) {
      q.push_back(configuration(m, random));
      for (auto* x : {&v, &a, &tau}) {
        x->emplace_back(m.nv);
        for (auto& number : x->back()) number = random(-1, 1);
      }
    }
  }

 private:
  static std::vector<mjtNum> configuration(const mjModel& m, harness::Random& random) {
    std::vector<mjtNum> q(std::size_t(m.nq));
    for (int j = 0; j < m.njnt; ++j) {
      mjtNum* const at = q.data() + m.jnt_qposadr[j];
      const int type = m.jnt_type[j];
      if (type == mjJNT_FREE)
        for (int k = 0; k < 3; ++k) at[k] = random(-1, 1);
      if (type == mjJNT_FREE || type == mjJNT_BALL) {
        mjtNum* const quaternion = at + (type == mjJNT_FREE ? 3 : 0);
        for (int k = 0; k < 4; ++k) quaternion[k] = random(-1, 1);
        mju_normalize4(quaternion);
      } else {
        const double* const limits = m.jnt_range + 2 * j;
        const double free = type == mjJNT_HINGE ? harness::pi : 1;
        const auto range =
            m.jnt_limited[j] ? harness::drawn_from(limits[0], limits[1], free) : harness::Range{-free, free};
        *at = random(range.low, range.high);
      }
    }
    return q;
  }
};

// A robot and its stages. States are set by exchanging pointers, so that no copying is measured.
class Stages {
 public:
  explicit Stages(const harness::Robot& robot) {
    char error[1000] = "";
    m = mj_loadXML(robot.file.c_str(), nullptr, error, sizeof error);
    if (!m) {
      std::fprintf(stderr, "mujoco: %s: %s\n", robot.name.c_str(), error);
      std::exit(1);
    }
    d = mj_makeData(m);
    own_qacc = d->qacc;
    s = std::make_unique<States>(*m);
  }
  Stages(const Stages&) = delete;
  ~Stages() {
    mj_deleteData(d);
    mj_deleteModel(m);
  }

  void place(int i) {
    d->qpos = s->q[std::size_t(i)].data();
    mj_kinematics(m, d);
  }
  void about_com(int i) {
    place(i);
    mj_comPos(m, d);
  }
  void move(int i) {
    about_com(i);
    set_velocity(i);
    mj_comVel(m, d);
  }
  void inertia(int i) {
    about_com(i);
    mj_makeM(m, d);
  }
  void factor(int i) {
    inertia(i);
    mj_factorM(m, d);
  }
  void set_velocity(int i) { d->qvel = s->v[std::size_t(i)].data(); }
  void set_acceleration(int i) { d->qacc = s->a[std::size_t(i)].data(); }
  const std::vector<mjtNum>& tau(int i) const { return s->tau[std::size_t(i)]; }
  // For functions that run all stages themselves.
  void set_all(int i) {
    d->qpos = s->q[std::size_t(i)].data();
    set_velocity(i);
    d->qacc = own_qacc;  // the function writes it
    d->qfrc_applied = s->tau[std::size_t(i)].data();
  }

  mjModel* m;
  mjData* d;

 private:
  std::unique_ptr<States> s;
  mjtNum* own_qacc;
};

// The quantities that some of MuJoCo's stages compute.
void add_parts(harness::Stopwatch& watch, Stages& at, std::vector<mjtNum>& out) {
  const auto m = at.m;
  const auto d = at.d;
  watch.add("placements", "mj_kinematics", [&at](int i) { at.place(i); });
  watch.add("velocities", "mj_kinematics, mj_comPos, mj_comVel", [&at](int i) { at.move(i); });
  watch.add("jacobians", "mj_kinematics, mj_comPos (axes of all joints; also turns inertias)",
            [&at](int i) { at.about_com(i); });
  watch.add("rnea", "mj_kinematics, mj_comPos, mj_comVel, mj_rne", [=, &at, &out](int i) {
    at.move(i);
    at.set_acceleration(i);
    mj_rne(m, d, 1, out.data());
  });
  watch.add("bias", "mj_kinematics, mj_comPos, mj_comVel, mj_rne without accelerations", [=, &at, &out](int i) {
    at.move(i);
    mj_rne(m, d, 0, out.data());
  });
  watch.add("crba", "mj_kinematics, mj_comPos, mj_makeM (sparse M)", [&at](int i) { at.inertia(i); });
  watch.add("factor", "mj_factorM", [=](int) { mj_factorM(m, d); });
  // MuJoCo has no articulated-body algorithm; it computes accelerations like this.
  watch.add("aba", "mj_kinematics, mj_comPos, mj_makeM, mj_factorM, mj_comVel, mj_rne, mj_solveM",
            [=, &at, &out](int i) {
              at.factor(i);
              at.set_velocity(i);
              mj_comVel(m, d);
              mj_rne(m, d, 0, out.data());
              const auto& tau = at.tau(i);
              for (std::size_t k = 0; k < tau.size(); ++k) out[k] = tau[k] - out[k];
              mj_solveM(m, d, d->qacc_smooth, out.data(), 1);
            });
}

void measure(const harness::Arguments& arguments, const harness::Robot& robot) {
  Stages at(robot);
  const auto m = at.m;
  const auto d = at.d;
  const auto nv = std::size_t(m->nv);
  std::vector<mjtNum> out(nv), inverse(nv * nv), identity(nv * nv);
  for (std::size_t i = 0; i < nv; ++i) identity[i * nv + i] = 1;

  harness::Stopwatch watch("mujoco", mj_versionString(), arguments, robot, int(m->nv));
  add_parts(watch, at, out);
  watch.add("minv", "mj_kinematics, mj_comPos, mj_makeM, mj_factorM, mj_solveM of the identity", [&](int i) {
    at.factor(i);
    mj_solveM(m, d, inverse.data(), identity.data(), int(m->nv));
  });
  m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_ACTUATION | mjDSBL_SENSOR;
  watch.add("mj_forward", "mj_forward without constraints", [&](int i) {
    at.set_all(i);
    mj_forward(m, d);
  });
  m->opt.timestep = 1e-9;  // states are stepped again and again, and should not change
  watch.add("step", "mj_step (Euler) without constraints", [&](int i) {
    at.set_all(i);
    mj_step(m, d);
  });
  watch.measure_and_print();
}

}  // namespace

int main(int argc, char** argv) {
  const harness::Arguments arguments(argc, argv);
  for (const auto& robot : arguments.robots) measure(arguments, robot);
}
