#pragma once
// What calls of solvers and controllers share: one caller at a time, Ctrl-C, functions of Python, options by name.
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>

#include "bound_model.h"
#include "records.h"

namespace lissom::python {

/// Objects that belong to one caller at a time have one of these; every call takes it for its time.
class InUse {
 public:
  class Taken {
   public:
    Taken(InUse& flag, const char* type) : flag_(flag) {
      if (flag_.taken_.exchange(true))
        throw Error(std::string("this ") + type +
                    " is in use: by another thread, or by the call that runs this function; make one for each");
    }
    ~Taken() { flag_.taken_ = false; }
    Taken(const Taken&) = delete;
    Taken& operator=(const Taken&) = delete;

   private:
    InUse& flag_;
  };
  Taken take(const char* type) { return Taken(*this, type); }

 private:
  std::atomic<bool> taken_ = false;
};

/// Notices Ctrl-C in the thread that made it, every 50 ms at most.
class SignalWatch {
 public:
  /// Without the GIL. Throws nb::python_error.
  void check() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return;
    last_ = now;
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// "progress is 3, expected a function of (done, total), or None": a TypeError.
void expect_callable(const char* name, nb::handle function, const char* expected);

/// A function of Python that C++ may copy and destroy in any thread.
using Function = std::shared_ptr<nb::object>;
inline Function function(nb::handle object) {
  return Function(new nb::object(nb::borrow(object)), [](nb::object* held) {
    const nb::gil_scoped_acquire acquire;
    delete held;
  });
}
/// The name of the type of an object: "int".
inline std::string type_of(nb::handle object) {
  return nb::cast<std::string>(nb::type_name(object.type()));
}
/// "stop returned 3, expected True or False". With the GIL.
inline bool truth(const char* name, nb::handle value) {
  const bool numpy_bool = type_of(value).find("bool") != std::string::npos;
  if (PyBool_Check(value.ptr()) || numpy_bool) return PyObject_IsTrue(value.ptr()) == 1;
  PyErr_Format(PyExc_TypeError, "%s returned %R, expected True or False", name, value.ptr());
  throw nb::python_error();
}

/// A structure of options: `options`, None or one that was given, with the fields that were given by name.
template <class T, class... M>
T options_of(const char* type, nb::handle options, const nb::kwargs& by_name,
             const std::tuple<Field<T, M>...>& fields) {
  T result{};
  if (!options.is_none() && !nb::try_cast<T>(options, result)) {
    PyErr_Format(PyExc_TypeError, "options is %R, expected %s", options.ptr(), type);
    throw nb::python_error();
  }
  for (const auto [key, value] : by_name) set_field(type, result, nb::cast<std::string>(key), value, fields);
  return result;
}

/// The elements of any iterable, or of a single T. Errors name the argument.
template <class T>
std::vector<T> list_of(const char* name, nb::handle object, const char* type) {
  std::vector<T> all;
  T one{};
  if (nb::try_cast<T>(object, one, false)) return all.push_back(std::move(one)), all;
  if (PyUnicode_Check(object.ptr()) || !nb::hasattr(object, "__iter__")) {
    PyErr_Format(PyExc_TypeError, "%s is %R, expected a %s or a list of them", name, object.ptr(), type);
    throw nb::python_error();
  }
  for (const auto item : nb::iter(object)) {
    if (!nb::try_cast<T>(item, one)) {
      PyErr_Format(PyExc_TypeError, "%s[%d] is %R, expected a %s", name, int(all.size()), item.ptr(), type);
      throw nb::python_error();
    }
    all.push_back(one);
  }
  return all;
}

/// Text of a path: a str, or anything else that has one (pathlib.Path).
inline std::string path_of(nb::handle path) {
  const nb::object text = nb::steal(PyOS_FSPath(path.ptr()));
  if (!text.is_valid()) throw nb::python_error();
  return nb::cast<std::string>(text);
}

/// Texts of a list of paths, or of a single one.
inline std::vector<std::string> paths_of(nb::handle paths) {
  if (PyUnicode_Check(paths.ptr()) || nb::hasattr(paths, "__fspath__")) return {path_of(paths)};
  std::vector<std::string> all;
  for (const auto path : nb::iter(paths)) all.push_back(path_of(path));
  return all;
}

/// The name of a frame, from a str or a Frame.
inline std::string frame_name(const char* argument, nb::handle object) {
  if (PyUnicode_Check(object.ptr())) return nb::cast<std::string>(object);
  if (nb::hasattr(object, "name")) return frame_name(argument, object.attr("name"));
  PyErr_Format(PyExc_TypeError, "%s is %R, expected the name of a frame", argument, object.ptr());
  throw nb::python_error();
}
/// The frame of that name; empty: the world.
inline FrameId frame_of(const Model& model, const std::string& name) {
  return name.empty() ? world_frame : model.frame(name);
}

void bind_progress(nb::module_& m);
void bind_ik(nb::module_& m);
void bind_ik_many(nb::module_& ik);
void bind_ik_pull(nb::module_& ik);
void bind_qp(nb::module_& m);
void bind_contacts(nb::module_& m);
void bind_stance(nb::module_& m);
void bind_limbs(nb::module_& m);
void bind_control(nb::module_& m);
void bind_walking(nb::module_& m);
void bind_plan(nb::module_& m);

}  // namespace lissom::python
