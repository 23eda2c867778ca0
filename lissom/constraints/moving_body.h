#pragma once
// The motion of single bodies, and how it changes with each element of q and v, as dual numbers: what loops, springs
// and pushes are functions of. Their derivatives follow from the same templates (relative_motion.h) that give their
// values. Like a workspace, a BodySlopes belongs to one caller at a time. Not installed.
#include <memory>
#include <vector>

#include "lissom/constraints/relative_motion.h"
#include "lissom/kernels/motion_slopes.h"
#include "lissom/math/dual.h"
#include "lissom/spatial/force.h"

namespace lissom {

using Slope = Dual<double>;

/// A body's pose in the world, spatial velocity and acceleration in its own frame.
struct MovingBody {
  Pose<Slope> X;
  Motion<Slope> V, A;
  FrameMotion<Slope> frame(const Pose<double>& X_BF) const { return frame_motion(X, V, A, Pose<Slope>{} * X_BF); }
};

/// A spatial force on a body, in its frame about its origin, from a force and a torque at a point, all in the world.
template <class T>
Force<T> on_body(const Pose<T>& X, const Vec3<T>& force, const Vec3<T>& torque, const Vec3<T>& at) {
  return {transpose_times(X.R, torque + cross(at - X.p, force)), transpose_times(X.R, force)};
}

class BodySlopes {
 public:
  explicit BodySlopes(const Model& model);
  /// Computes the motion of all bodies.
  void set_state(const Model& model, const double* q, const double* v, const double* a);
  /// Selects a body; the functions below are about it. The world does not move.
  class OfBody {
   public:
    const Pose<double>& X() const { return X_; }
    /// Whether degree of freedom j moves it.
    bool moved_by(int j) const { return moved_[std::size_t(j)]; }
    MovingBody along_q(int j) const;
    MovingBody along_v(int j) const;
    /// Adds Sᵀ f, the generalized forces of a force on the body, to tau.
    void add_generalized(const Force<double>& f, Eigen::Ref<Eigen::VectorXd> tau) const;

   private:
    friend class BodySlopes;
    Pose<double> X_;
    Motion<double> V_, A_;
    std::vector<MotionSlopes<double>> slopes_;
    std::vector<bool> moved_;
  };
  void of(const Model& model, int body, OfBody& result);

 private:
  std::unique_ptr<KernelScratch> scratch_;
};

}  // namespace lissom
