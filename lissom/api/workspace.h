#pragma once
// The memory that calls on one model need, and where their results stay. A workspace belongs to one caller at a time
// (one per thread); all of it is allocated here, none in a call. What a call returns is a view into its workspace, good
// until the next call that writes it: copy what you keep.
#include <memory>

#include <Eigen/Core>

#include "lissom/model/model.h"

namespace lissom {

// How vectors are taken: any Eigen expression of doubles that lies in memory one number after another.
using VectorIn = Eigen::Ref<const Eigen::VectorXd>;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
// A square matrix inside a workspace. Rows are padded, so its inner memory is not one block.
using MatrixView = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;
// Columns of six numbers: linear above angular.
using Columns6 = Eigen::Matrix<double, 6, Eigen::Dynamic>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

class Workspace {
 public:
  explicit Workspace(const Model& model);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  struct Inside;
  Inside& inside() const { return *inside_; }

 private:
  std::unique_ptr<Inside> inside_;
};

inline Eigen::Vector3d to_eigen(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}

}  // namespace lissom
