#include "casters.h"

#include "lissom/model/arguments.h"

namespace lissom::python {

namespace {
constexpr std::array three{3L}, six{6L};
constexpr std::array three_by_three{3L, 3L}, four_by_four{4L, 4L};

Mat3<double> rows_of(const double* m, long stride) {
  return {
      m[0], m[1], m[2], m[stride], m[stride + 1], m[stride + 2], m[2 * stride], m[2 * stride + 1], m[2 * stride + 2]};
}
}  // namespace

Vec3<double> vec3(const char* name, nb::handle object) {
  const nb::object array = double_array(name, object, three);
  const double* const x = data_of(array);
  return {x[0], x[1], x[2]};
}

Mat3<double> mat3(const char* name, nb::handle object) {
  return rows_of(data_of(double_array(name, object, three_by_three)), 3);
}

Pose<double> pose(const char* name, nb::handle object) {
  Pose<double> X;
  if (nb::isinstance<nb::tuple>(object) && nb::len(object) == 2) {
    X = {mat3(name, nb::object(object[0])), vec3(name, nb::object(object[1]))};
  } else {
    const nb::object array = double_array(name, object, four_by_four);
    const double* const m = data_of(array);
    if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1)
      throw Error(std::string(name) + " is not a homogeneous matrix: its last row is not 0, 0, 0, 1");
    X = {rows_of(m, 4), {m[3], m[7], m[11]}};
  }
  expect_rotation(name, X.R);
  expect_finite(name, X.p);
  return X;
}

SpatialVector spatial_vector(const char* name, nb::handle object) {
  const nb::object array = double_array(name, object, six);
  const double* const x = data_of(array);
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

std::vector<Vec3<double>> points(const char* name, nb::handle object) {
  if (nb::hasattr(object, "__len__") && nb::len(object) == 0) return {};
  const Matrix rows = matrix(name, object, -1, 3);
  std::vector<Vec3<double>> all;
  for (long i = 0; i < rows.rows(); ++i) all.emplace_back(rows(i, 0), rows(i, 1), rows(i, 2));
  return all;
}

nb::object to_numpy(const std::vector<Vec3<double>>& x) {
  nb::object array = new_array(std::array{long(x.size()), 3L});
  for (std::size_t i = 0; i < x.size(); ++i) Eigen::Map<Eigen::Vector3d>(data_of(array) + 3 * i) = to_eigen(x[i]);
  return array;
}
nb::object to_numpy(const Vec3<double>& v) {
  return to_numpy(std::array{v.x, v.y, v.z}.data(), three);
}
nb::object to_numpy(const Mat3<double>& m) {
  return to_numpy(std::array{m.xx, m.xy, m.xz, m.yx, m.yy, m.yz, m.zx, m.zy, m.zz}.data(), three_by_three);
}
nb::object to_numpy(const Pose<double>& X) {
  const auto& [R, p] = X;
  return to_numpy(
      std::array{R.xx, R.xy, R.xz, p.x, R.yx, R.yy, R.yz, p.y, R.zx, R.zy, R.zz, p.z, 0., 0., 0., 1.}.data(),
      four_by_four);
}
nb::object to_numpy(const SpatialVector& x) {
  const auto& [v, w] = x;
  return to_numpy(std::array{v.x, v.y, v.z, w.x, w.y, w.z}.data(), six);
}
nb::object to_numpy(const PerDof& x) {
  return x.count() == 1 ? nb::object(nb::float_(x[0])) : to_numpy(x.values());
}

FrameId frame(const Model& model, nb::handle object, const char* argument) {
  if (PyUnicode_Check(object.ptr())) {
    Py_ssize_t size = 0;
    const char* const name = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
    if (!name) throw nb::python_error();
    return model.frame(std::string_view(name, std::size_t(size)));
  }
  if (PyIndex_Check(object.ptr())) {
    const FrameId id{nb::cast<int>(nb::int_(object))};
    (void)model.frame_at(id, argument);
    return id;
  }
  if (nb::hasattr(object, "name")) return frame(model, object.attr("name"), argument);
  const auto type = nb::cast<std::string>(nb::type_name(object.type()));
  PyErr_Format(PyExc_TypeError, "%s is a %s, expected the name of a frame", argument, type.c_str());
  throw nb::python_error();
}

}  // namespace lissom::python
