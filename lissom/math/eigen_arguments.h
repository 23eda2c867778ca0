#pragma once
// Vectors and columns as arguments of functions. An Eigen::Ref to a vector takes a matrix, too, and reads its n × m
// elements as n m; one to columns takes a vector. So a result of the caller's in the wrong place would be read as a
// configuration. These types take only what is a vector, or is none, by its type; everything else does not compile.
#include <concepts>

#include <Eigen/Core>

namespace lissom {

/// Holds if the type of an Eigen expression says that it is a vector. A MatrixXd is none, whatever its size: pass one
/// of its columns or rows.
template <class E>
concept VectorExpression = E::RowsAtCompileTime == 1 || E::ColsAtCompileTime == 1;
/// Holds if the expression can have this number of rows, and several columns.
template <class E, int rows>
concept ColumnsExpression = E::ColsAtCompileTime != 1 && (rows == Eigen::Dynamic || E::RowsAtCompileTime == rows ||
                                                          E::RowsAtCompileTime == Eigen::Dynamic);

/// A vector argument: any Eigen expression of doubles that is a vector by its type. One whose elements are not
/// contiguous in memory is copied.
class VectorIn : public Eigen::Ref<const Eigen::VectorXd> {
 public:
  template <VectorExpression E>
  VectorIn(const Eigen::DenseBase<E>& x) : Eigen::Ref<const Eigen::VectorXd>(x) {}
};

/// A vector that is written: an Eigen vector, or a segment of one, that already has the right size.
class VectorOut : public Eigen::Ref<Eigen::VectorXd> {
  using Base = Eigen::Ref<Eigen::VectorXd>;

 public:
  template <VectorExpression E>
    requires std::constructible_from<Base, E&>
  VectorOut(Eigen::PlainObjectBase<E>& x) : Base(x) {}
  template <VectorExpression E>
    requires std::constructible_from<Base, E>
  VectorOut(const Eigen::DenseBase<E>& x) : Base(x) {}  // a segment is a temporary
  using Base::operator=;
};

/// Columns that are written: a matrix, or a block of one, stored by columns, that already has the right size.
template <int rows>
class ColumnsOutOf : public Eigen::Ref<Eigen::Matrix<double, rows, Eigen::Dynamic>, 0, Eigen::OuterStride<>> {
  using Base = Eigen::Ref<Eigen::Matrix<double, rows, Eigen::Dynamic>, 0, Eigen::OuterStride<>>;

 public:
  template <ColumnsExpression<rows> E>
    requires std::constructible_from<Base, E&>
  ColumnsOutOf(Eigen::PlainObjectBase<E>& x) : Base(x) {}
  template <ColumnsExpression<rows> E>
    requires std::constructible_from<Base, E>
  ColumnsOutOf(const Eigen::DenseBase<E>& x) : Base(x) {}
  using Base::operator=;
};

}  // namespace lissom
