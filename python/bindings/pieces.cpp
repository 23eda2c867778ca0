// Long work in pieces: who is told how much of it is done.
#include "arrays.h"
#include "calls.h"

namespace lissom::python {

using namespace nb::literals;

namespace {

constexpr std::chrono::milliseconds between{200};

// What `with lissom.progress(f)` has set; null: nothing. (Python keeps the object as long as that lasts.)
thread_local PyObject* of_thread = nullptr;

nb::object set_progress(nb::handle function) {
  if (!function.is_none()) expect_callable("progress", function, "a function of (done, total)");
  const nb::object before = of_thread ? nb::steal(of_thread) : nb::none();
  of_thread = function.is_none() ? nullptr : function.inc_ref().ptr();
  return before;
}

}  // namespace

void expect_callable(const char* name, nb::handle function, const char* expected) {
  if (PyCallable_Check(function.ptr())) return;
  PyErr_Format(PyExc_TypeError, "%s is %R, expected %s, or None", name, function.ptr(), expected);
  throw nb::python_error();
}

PieceProgress::PieceProgress(long total, nb::handle progress) : total_(total) {
  if (progress.is_valid() && !progress.is_none()) {
    expect_callable("progress", progress, "a function of (done, total)");
    function_ = nb::borrow(progress);
    told_ = true;
  } else if (of_thread) {
    function_ = nb::borrow(of_thread);
  }
  if (function_.is_valid()) next_ = std::chrono::steady_clock::now() + between;
}

void PieceProgress::tell_now(long done, bool at_end) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_ && !at_end) return;
  next_ = now + between;
  told_ = true;
  function_(done, total_);
}

void bind_progress(nb::module_& m) {
  m.def("_set_progress", &set_progress, "function"_a.none(),
        "What calls of this thread tell how much is done; returns what was set before. lissom.progress() uses it.");
}

}  // namespace lissom::python
