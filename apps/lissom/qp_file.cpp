#include "qp_file.h"

#include <bit>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <zlib.h>

#include <fmt/format.h>

#include "lissom/files/read_bytes.h"
#include "lissom/model/diagnostic.h"
#include "lissom/model/limits.h"
#include "lissom/model/printable.h"

static_assert(std::endian::native == std::endian::little, "files are little endian and read without conversion");

namespace {

using lissom::Error;
using lissom::qp::Matrix;

namespace limits = lissom::limits;

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(lissom::printable(file)), stream_(nullptr, gzclose) {
    std::optional<lissom::ReadProblem> problem;
    auto input = lissom::open_for_reading(file, problem);
    if (problem) throw Error(file_ + ": cannot open the file: " + problem->message + "; " + problem->remedy);
    stream_.reset(gzdopen(input.number(), "rb"));
    if (!stream_) throw Error(file_ + ": cannot open the file: there is not enough memory");
    input.release();
  }

  // Takes a number of doubles from what all problems together may have.
  void reserve(std::size_t doubles) {
    left_ -= std::min(left_, doubles * sizeof(double));
    if (left_ == 0)
      throw Error(fmt::format("{}the problems have more than {} bytes up to here, expected less in one file; divide it",
                              where(), limits::qp_bytes));
  }

  // "FILE: problem 3 of 60: "
  std::string where() const {
    return problem_ < 0 ? file_ + ": " : fmt::format("{}: problem {} of {}: ", file_, problem_, count_);
  }
  void at(int problem, int count) { problem_ = problem, count_ = count; }

  void bytes(void* to, std::size_t size, const char* what) {
    auto* p = static_cast<char*>(to);
    while (size > 0) {
      const auto part = unsigned(std::min<std::size_t>(size, 1U << 20U));
      const int got = gzread(stream_.get(), p, part);
      if (got < 0) throw Error(fmt::format("{}{} cannot be read: {}", where(), what, error()));
      if (got == 0) throw Error(fmt::format("{}the file ends within {}; expected {} more bytes", where(), what, size));
      p += got, size -= std::size_t(got);
    }
  }
  int integer(const char* what) {
    std::int32_t x = 0;
    bytes(&x, sizeof x, what);
    return x;
  }
  int integer(const char* what, int min, int max) {
    const int x = integer(what);
    if (x < min || x > max) throw Error(fmt::format("{}{} is {}, expected {} to {}", where(), what, x, min, max));
    return x;
  }
  void matrix(Matrix& M, int rows, int columns, const char* what) {
    M.resize(rows, columns);
    bytes(M.data(), sizeof(double) * std::size_t(M.size()), what);
  }
  void vector(Eigen::VectorXd& v, int size, const char* what) {
    v.resize(size);
    bytes(v.data(), sizeof(double) * std::size_t(size), what);
  }
  // Checks that the file ends here, and gzip's checksum.
  void end() {
    char more = 0;
    const int got = gzread(stream_.get(), &more, 1);
    if (got > 0) throw Error(file_ + ": the file goes on after its last problem; expected its end");
    int code = Z_OK;
    const std::string words = gzerror(stream_.get(), &code);
    if (got < 0 || code != Z_OK) throw Error(fmt::format("{}: the end cannot be read: {}", file_, words));
  }

 private:
  std::string error() const {
    int code = 0;
    return gzerror(stream_.get(), &code);
  }
  std::string file_;
  std::unique_ptr<gzFile_s, int (*)(gzFile)> stream_;
  int problem_ = -1, count_ = 0;
  std::size_t left_ = limits::qp_bytes + 1;
};

void read(Reader& in, StoredProblem& p) {
  const int n = in.integer("the number of variables", 1, limits::qp_variables);
  const int me = in.integer("the number of equalities", 0, limits::qp_rows);
  const int mi = in.integer("the number of rows", 0, limits::qp_rows);
  p.expected_status = in.integer("the status", 0, 1);
  const auto size = [](int number) { return std::size_t(number); };
  in.reserve(size(n) * (size(n) + size(me) + size(mi) + 4) + size(me) + 2 * size(mi));
  in.bytes(&p.expected_objective, sizeof p.expected_objective, "the objective");
  in.matrix(p.H, n, n, "H");
  in.vector(p.g, n, "g");
  in.matrix(p.A, me, n, "A");
  in.vector(p.b, me, "b");
  in.matrix(p.C, mi, n, "C");
  in.vector(p.l, mi, "l");
  in.vector(p.u, mi, "u");
  in.vector(p.lx, n, "lx");
  in.vector(p.ux, n, "ux");
  in.vector(p.expected_x, n, "x*");
}

}  // namespace

lissom::qp::Problem StoredProblem::problem() const {
  return {.H = H, .g = g, .A = A, .b = b, .C = C, .l = l, .u = u, .lx = lx, .ux = ux};
}

std::vector<StoredProblem> read_problems(const std::string& file) {
  Reader in(file);
  char magic[4];
  in.bytes(magic, sizeof magic, "the first four bytes");
  if (std::memcmp(magic, "LQP1", 4) != 0)
    throw Error(in.where() + "not a file of quadratic programs; expected it to begin with \"LQP1\"");
  const int count = in.integer("the number of problems", 1, limits::qp_problems);
  std::vector<StoredProblem> all;
  try {
    for (int i = 0; i < count; ++i) {
      in.at(i, count);
      read(in, all.emplace_back());
    }
  } catch (const std::bad_alloc&) {
    throw Error(in.where() + "there is not enough memory for it");
  }
  in.end();
  return all;
}
