// Measures RBDL, compiled from its sources by the same compiler as lissom, for this machine. Robots are read from text
// files (flatten_urdf.py), because RBDL's own reader of URDF refuses inertias whose frame is rotated.
#include <fstream>
#include <rbdl/rbdl.h>
#include <sstream>

#include "../harness.h"

namespace {

namespace rbdl = RigidBodyDynamics;
using harness::keep;
using harness::states;
using rbdl::Math::MatrixNd;
using rbdl::Math::VectorNd;

// A robot. RBDL is quick where a joint rotates about an axis of its frame; where one rotates about another (in atlas,
// some about −x and −y), our frame of the link, and of its mass, is rotated so that this is its z axis.
struct Robot {
  rbdl::Model model;
  std::vector<harness::Range> limits;
  bool is_free = false;

  explicit Robot(const std::string& file) {
    model.gravity.set(0, 0, -9.81);
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) add(line);
  }
  int nv() const { return int(model.dof_count); }

 private:
  void add(const std::string& line) {
    std::istringstream numbers(line);
    const auto next = [&] {
      double x = 0;
      numbers >> x;
      return x;
    };
    const auto vector = [&] {
      const double x = next(), y = next(), z = next();
      return Eigen::Vector3d(x, y, z);
    };
    const int parent = int(next()), type = int(next());
    Eigen::Matrix3d R, I;
    for (int i = 0; i < 3; ++i) R.row(i) = vector();
    const Eigen::Vector3d p = vector(), axis = vector().normalized();
    const double low = next(), high = next(), mass = next();
    const Eigen::Vector3d com = vector(), diagonal = vector(), products = vector();
    I << diagonal.x(), products.x(), products.y(), products.x(), diagonal.y(), products.z(), products.y(), products.z(),
        diagonal.z();

    const Eigen::Matrix3d C_parent = parent < 0 ? Eigen::Matrix3d::Identity() : frames_[std::size_t(parent)];
    const Eigen::Matrix3d C = type == 1 ? frame_of(axis) : Eigen::Matrix3d::Identity();
    const rbdl::Math::SpatialTransform X((C_parent.transpose() * R * C).transpose(), C_parent.transpose() * p);
    const rbdl::Body body(mass, C.transpose() * com, Eigen::Matrix3d(C.transpose() * I * C));
    ids_.push_back(
        model.AddBody(parent < 0 ? 0 : ids_[std::size_t(parent)], X, joint(type, C.transpose() * axis), body));
    frames_.push_back(C);
    if (type == 2)
      is_free = true;
    else
      limits.push_back(harness::drawn_from(low, high, type == 1 ? harness::pi : 1));
  }

  static Eigen::Matrix3d frame_of(const Eigen::Vector3d& axis) {
    if (axis.maxCoeff() == 1) return Eigen::Matrix3d::Identity();
    return Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), axis).toRotationMatrix();
  }
  static rbdl::Joint joint(int type, const Eigen::Vector3d& axis) {
    if (type == 2) return rbdl::Joint(rbdl::JointTypeFloatingBase);
    if (type == 0) return rbdl::Joint(rbdl::JointTypePrismatic, axis);
    const rbdl::JointType revolute[] = {rbdl::JointTypeRevoluteX, rbdl::JointTypeRevoluteY, rbdl::JointTypeRevoluteZ};
    Eigen::Index index = 0;
    axis.maxCoeff(&index);
    return rbdl::Joint(revolute[index]);
  }

  std::vector<unsigned> ids_;
  std::vector<Eigen::Matrix3d> frames_;  // ours, relative to the file's
};

struct States {
  std::vector<VectorNd> q, v, a, tau;

  explicit States(const Robot& robot) {
    harness::Random random;
    const int nv = robot.nv(), first = robot.is_free ? 6 : 0;
    for (int i = 0; i < states; ++i) {
      q.emplace_back(robot.model.q_size);
      for (int k = first; k < nv; ++k) {
        const auto range = robot.limits[std::size_t(k - first)];
        q.back()[k] = random(range.low, range.high);
      }
      if (robot.is_free) {
        Eigen::Vector4d quaternion;
        for (int k = 0; k < 3; ++k) q.back()[k] = random(-1, 1);
        for (double& x : quaternion) x = random(-1, 1);
        quaternion.normalize();
        q.back().segment<3>(3) = quaternion.head<3>();
        q.back()[nv] = quaternion[3];  // w comes last
      }
      for (auto* x : {&v, &a, &tau}) {
        x->emplace_back(nv);
        for (double& number : x->back()) number = random(-1, 1);
      }
    }
  }
};

// q with the quaternion (w x y z) behind the position: as MuJoCo has it, whose velocities are also RBDL's.
std::vector<double> as_in_mujoco(const Robot& robot, const VectorNd& q) {
  std::vector<double> result(q.begin(), q.end());
  if (robot.is_free) std::rotate(result.begin() + 3, result.end() - 1, result.end());
  return result;
}

class Measurement {
 public:
  explicit Measurement(const harness::Robot& robot)
      : robot_(robot.file), m_(robot_.model), s_(robot_), M_(zero()), factor_(zero()), inverse_(zero()) {
    for (auto* x : {&tau_, &a_, &column_}) *x = VectorNd::Zero(robot_.nv());
  }

  void print_results(const harness::Robot& robot) {
    for (std::size_t i = 0; i < 16; ++i) {
      harness::Results results("rbdl", robot, "mujoco");
      results.state(
          {{"q", as_in_mujoco(robot_, s_.q[i])}, {"v", list(s_.v[i])}, {"a", list(s_.a[i])}, {"tau", list(s_.tau[i])}});
      rbdl::InverseDynamics(m_, s_.q[i], s_.v[i], s_.a[i], tau_);
      results.add("tau", list(tau_));
      rbdl::NonlinearEffects(m_, s_.q[i], s_.v[i], tau_);
      results.add("h", list(tau_));
      mass_matrix(i);
      results.add("M", {M_.data(), M_.data() + M_.size()});
      rbdl::ForwardDynamics(m_, s_.q[i], s_.v[i], s_.tau[i], a_);
      results.add("qdd", list(a_));
      results.print();
    }
  }

  void add_rows(harness::Stopwatch& watch) {
    const auto add = [&](const char* algorithm, const char* how, auto call) {
      watch.add(algorithm, how, [this, call](int i) {
        call(std::size_t(i));
        keep(m_);
      });
    };
    add("placements", "UpdateKinematicsCustom(q)",
        [this](std::size_t i) { rbdl::UpdateKinematicsCustom(m_, &s_.q[i], nullptr, nullptr); });
    add("velocities", "UpdateKinematicsCustom(q, v)",
        [this](std::size_t i) { rbdl::UpdateKinematicsCustom(m_, &s_.q[i], &s_.v[i], nullptr); });
    for (const char* algorithm : {"placements", "velocities"})
      add(algorithm, "UpdateKinematics(q, v, a)",
          [this](std::size_t i) { rbdl::UpdateKinematics(m_, s_.q[i], s_.v[i], s_.a[i]); });
    add("rnea", "InverseDynamics",
        [this](std::size_t i) { rbdl::InverseDynamics(m_, s_.q[i], s_.v[i], s_.a[i], tau_); });
    add("bias", "NonlinearEffects", [this](std::size_t i) { rbdl::NonlinearEffects(m_, s_.q[i], s_.v[i], tau_); });
    add("crba", "CompositeRigidBodyAlgorithm", [this](std::size_t i) { mass_matrix(i); });
    add("factor", "SparseFactorizeLTL of a copy of one M", [this](std::size_t) { factorize(); });
    add("minv", "CompositeRigidBodyAlgorithm, SparseFactorizeLTL, SparseSolveLTx, SparseSolveLx of the identity",
        [this](std::size_t i) {
          mass_matrix(i);
          factorize();
          for_each_column([this](int) {
            rbdl::Math::SparseSolveLTx(m_, factor_, column_);
            rbdl::Math::SparseSolveLx(m_, factor_, column_);
            return column_;
          });
        });
    add("minv", "CalcMInvTimesTau of the identity", [this](std::size_t i) {
      for_each_column([this, i](int k) {
        rbdl::CalcMInvTimesTau(m_, s_.q[i], column_, a_, k == 0);
        return a_;
      });
    });
    add("aba", "ForwardDynamics",
        [this](std::size_t i) { rbdl::ForwardDynamics(m_, s_.q[i], s_.v[i], s_.tau[i], a_); });
  }
  int nv() const { return robot_.nv(); }

 private:
  MatrixNd zero() const { return MatrixNd::Zero(robot_.nv(), robot_.nv()); }
  static std::vector<double> list(const VectorNd& x) { return {x.begin(), x.end()}; }
  void mass_matrix(std::size_t i) { rbdl::CompositeRigidBodyAlgorithm(m_, s_.q[i], M_); }
  void factorize() {
    factor_ = M_;
    rbdl::Math::SparseFactorizeLTL(m_, factor_);
  }
  template <class F>
  void for_each_column(F solution) {
    for (int k = 0; k < robot_.nv(); ++k) {
      column_.setZero();
      column_[k] = 1;
      inverse_.col(k) = solution(k);
    }
  }

  Robot robot_;
  rbdl::Model& m_;
  States s_;
  MatrixNd M_, factor_, inverse_;
  VectorNd tau_, a_, column_;
};

}  // namespace

int main(int argc, char** argv) {
  const harness::Arguments arguments(argc, argv);
  for (const auto& robot : arguments.robots) {
    Measurement measurement(robot);
    measurement.print_results(robot);
    harness::Stopwatch watch("rbdl", RIVAL_VERSION, arguments, robot, measurement.nv());
    measurement.add_rows(watch);
    watch.measure_and_print();
  }
}
