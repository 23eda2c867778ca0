#pragma once
// Contact problems for tests and benchmarks: a random walking machine of 27 degrees of freedom (trunk, two legs, two
// arms) with feet, hands and knees on the ground, and limbs against each other; and matrices without any such meaning.
#include <random>
#include <vector>

#include <Eigen/Dense>

#include "lissom/contact/problem.h"

namespace lissom::test {

struct ContactRandom {
  std::mt19937_64 engine;
  explicit ContactRandom(std::uint64_t seed) : engine(seed) {}
  double normal() { return std::normal_distribution<double>()(engine); }
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); }
  int integer(int a, int b) { return std::uniform_int_distribution<int>(a, b)(engine); }
  bool chance(double p) { return between(0, 1) < p; }
  Eigen::Vector3d vector() { return {normal(), normal(), normal()}; }
};

/// A problem with its data, of one's own.
struct ContactData {
  Eigen::MatrixXd G;
  Eigen::VectorXd b;
  std::vector<contact::Block<double>> blocks;

  int rows() const { return int(b.size()); }
  void add(contact::Block<double> block) {
    block.row = blocks.empty() ? 0 : blocks.back().row + blocks.back().size;
    blocks.push_back(block);
  }
  /// Appends it to a buffer, which must be large enough.
  void write(contact::ProblemBuffer<double>& buffer) const {
    buffer.clear();
    for (const auto& block : blocks) buffer.add(block);
    for (int i = 0; i < rows(); ++i) {
      buffer.b(i) = b[i];
      for (int j = 0; j < rows(); ++j) buffer.G(i, j) = G(i, j);
    }
  }
};

/// Steps of a machine that stands, kneels or lies: the contacts stay, velocities and the posture change a little from
/// step to step.
class WalkingMachine {
 public:
  static constexpr int nv = 27;

  WalkingMachine(std::uint64_t seed, int contacts, int limits) : random_(seed), limits_(limits) {
    const int parents[] = {-1, 0, 1, 0, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 2, 15, 16, 2, 18, 19};
    int joint = 5;
    for (const int parent : parents) {
      Link link;
      link.parent = parent;
      link.joint = parent < 0 ? -1 : ++joint;
      link.axis = random_.vector().normalized();
      link.origin = parent < 0 ? Eigen::Vector3d(0, 0, 1)
                               : Eigen::Vector3d(links_[std::size_t(parent)].origin + 0.18 * random_.vector());
      link.center = link.origin + 0.1 * random_.vector();
      link.mass = parent < 0 ? 9 : random_.between(0.5, 4);
      links_.push_back(link);
    }
    place_contacts(contacts);
    v_ = 0.3 * Eigen::VectorXd::NullaryExpr(nv, [&] { return random_.normal(); });
  }

  /// The problem of the next step: velocities without contact, plus those impulses that the last solution gave.
  ContactData next(double h, const Eigen::VectorXd* last_impulses = nullptr) {
    if (last_impulses && J_.rows() == last_impulses->size())
      v_ = v_free_ + M_inverse_ * J_.transpose() * *last_impulses;
    for (Contact& c : contacts_) c.point += 0.02 * h * random_.vector();
    mass_matrix();
    Eigen::VectorXd force = Eigen::VectorXd::NullaryExpr(nv, [&] { return 8 * random_.normal(); });
    for (const Link& l : links_) force += -9.81 * l.mass * point_jacobian(l, l.center).row(2).transpose();
    v_free_ = v_ + h * M_inverse_ * force;
    rows();
    ContactData data;
    for (const Contact& c : contacts_) data.add(contact::cone(0, c.friction));
    for (int i = 0; i < limits_; ++i) data.add(contact::unilateral(0));
    data.G = J_ * M_inverse_ * J_.transpose();
    data.b = J_ * v_free_;
    return data;
  }

 private:
  struct Link {
    int parent = -1, joint = -1;
    Eigen::Vector3d axis, origin, center;
    double mass = 1;
  };
  struct Contact {
    int link = 0, other = -1;
    Eigen::Vector3d point, normal;
    double friction = 0.8;
  };
  using Rows3 = Eigen::Matrix<double, 3, nv>;

  // Feet have four corners each, which makes them hyperstatic; then hands, knees, and limbs against each other.
  void place_contacts(int count) {
    for (int i = 0; i < count; ++i) {
      Contact c;
      c.normal = Eigen::Vector3d::UnitZ();
      c.friction = random_.chance(0.1) ? 0 : random_.between(0.3, 1.2);
      if (i < 8) {
        c.link = i < 4 ? 8 : 14;
        c.point =
            links_[std::size_t(c.link)].origin + Eigen::Vector3d(i % 2 ? 0.1 : -0.1, i % 4 < 2 ? 0.04 : -0.04, -0.05);
        c.friction = 0.8;
      } else {
        const int others[] = {17, 20, 5, 11};
        c.link = others[i % 4];
        c.point = links_[std::size_t(c.link)].origin + 0.05 * random_.vector();
        if (random_.chance(0.2)) c.other = 1, c.normal = random_.vector().normalized();
      }
      contacts_.push_back(c);
    }
  }

  Rows3 point_jacobian(const Link& link, const Eigen::Vector3d& point) const {
    Rows3 J = Rows3::Zero();
    const Eigen::Vector3d arm = point - links_[0].origin;
    J.leftCols<3>() = Eigen::Matrix3d::Identity();
    for (int k = 0; k < 3; ++k) J.col(3 + k) = Eigen::Vector3d::Unit(k).cross(arm);
    for (const Link* l = &link; l->parent >= 0; l = &links_[std::size_t(l->parent)])
      J.col(l->joint) = l->axis.cross(point - l->origin);
    return J;
  }

  void mass_matrix() {
    Eigen::MatrixXd M = Eigen::MatrixXd::Identity(nv, nv) * 0.02;  // rotors
    for (const Link& l : links_)
      for (int k = 0; k < 3; ++k)  // three points in place of an inertia
        for (const double side : {-0.06, 0.06}) {
          const Rows3 J = point_jacobian(l, l.center + side * Eigen::Vector3d::Unit(k));
          M += l.mass / 6 * J.transpose() * J;
        }
    M_inverse_ = M.inverse();
    M_inverse_ = (0.5 * (M_inverse_ + M_inverse_.transpose())).eval();
  }

  void rows() {
    J_ = Eigen::MatrixXd::Zero(3 * long(contacts_.size()) + limits_, nv);
    long at = 0;
    for (const Contact& c : contacts_) {
      Rows3 J = point_jacobian(links_[std::size_t(c.link)], c.point);
      if (c.other >= 0) J -= point_jacobian(links_[std::size_t(c.other)], c.point);
      Eigen::Matrix3d frame;
      frame.row(0) = c.normal;
      frame.row(1) = c.normal.unitOrthogonal();
      frame.row(2) = c.normal.cross(c.normal.unitOrthogonal());
      J_.middleRows<3>(at) = frame * J;
      at += 3;
    }
    for (int i = 0; i < limits_; ++i) J_(at++, 8 + 5 * i % 18) = i % 2 ? 1 : -1;
  }

  ContactRandom random_;
  int limits_;
  std::vector<Link> links_;
  std::vector<Contact> contacts_;
  Eigen::MatrixXd J_, M_inverse_;
  Eigen::VectorXd v_, v_free_;
};

}  // namespace lissom::test
