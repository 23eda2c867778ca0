#include "lissom/gpu/column_solve.h"

#include <algorithm>
#include <sstream>

#include "lissom/gpu/kernel_prelude.h"

namespace lissom::gpu {
namespace {

std::size_t bytes_of_factor(const ColumnSolve& solve, const ColumnSolveOptions& options) {
  return (solve.L_entries.size() + std::size_t(solve.n)) * std::size_t(options.robots) *
         (options.single_precision ? 4 : 8);
}

// Columns that a thread solves for side by side.
struct ColumnGroup {
  int side, first;
  unsigned loaded = 0, active = 0;  // runs of rows in which the right side, and what Lᵀ makes of it, are not zero
};

// Writes the kernel. x<i>_<c> is row i of the c-th of the columns that a thread has in hand.
class ColumnSolveWriter {
 public:
  ColumnSolveWriter(const ColumnSolve& solve, const ColumnSolveOptions& options);
  std::size_t shared_bytes() const { return shared_ ? bytes_ : 0; }

  std::string tables() const;
  std::string statements() const;

 private:
  void find_runs();
  void find_groups();
  ColumnGroup group(int side, int first) const;
  std::string x(int i, int c) const { return "x" + std::to_string(i) + "_" + std::to_string(c); }
  std::string L(int k) const;
  std::string element(const std::string& array, int i) const {
    return "*row(" + array + ", " + array + "_pitch, " + std::to_string(i) + ")";
  }
  void write_factor(std::ostream& out) const;
  void write_arrays_of_group(std::ostream& out) const;
  void write_right_side(std::ostream& out) const;
  void write_entry(std::ostream& out, int k, int from, int to) const;
  void write_substitution(std::ostream& out) const;
  void write_solution(std::ostream& out) const;

  const ColumnSolve& solve_;
  int n_, entries_, columns_ = 1;
  std::size_t bytes_ = 0;
  bool shared_ = true;       // whether the factor fits into shared memory
  std::vector<int> run_of_;  // of each row: rows one after another that belong to the same limb
  std::vector<ColumnGroup> groups_;
};

ColumnSolveWriter::ColumnSolveWriter(const ColumnSolve& solve, const ColumnSolveOptions& options)
    : solve_(solve), n_(solve.n), entries_(int(solve.L_entries.size())) {
  columns_ = std::min(options.columns, n_);
  bytes_ = bytes_of_factor(solve, options);
  shared_ = bytes_ <= options.max_factor_bytes;
  find_runs();
  find_groups();
}

// (A robot of more limbs than a word has bits: the last run has all others.)
void ColumnSolveWriter::find_runs() {
  for (int i = 0, run = 0; i < n_; ++i) {
    if (i > 0 && solve_.limb[std::size_t(i)] != solve_.limb[std::size_t(i - 1)]) run = std::min(run + 1, 31);
    run_of_.push_back(run);
  }
}

// Groups begin anew with each run, and the last of a run begins where it is full: it shares columns with the one
// before.
void ColumnSolveWriter::find_groups() {
  for (int side = 0; side < int(solve_.sides.size()); ++side)
    for (int begin = 0, end = 0; begin < n_; begin = end) {
      while (end < n_ && run_of_[std::size_t(end)] == run_of_[std::size_t(begin)]) ++end;
      for (int first = begin; first < end; first += columns_)
        groups_.push_back(group(side, std::min(std::max(std::min(first, end - columns_), begin), n_ - columns_)));
    }
}
ColumnGroup ColumnSolveWriter::group(int side, int first) const {
  ColumnGroup found{.side = side, .first = first};
  std::vector<bool> active(std::size_t(n_), false);
  for (int i = 0; i < n_; ++i)
    for (int c = 0; c < columns_; ++c)
      if (solve_.sides[std::size_t(side)].written[std::size_t(i * n_ + first + c)]) active[std::size_t(i)] = true;
  const auto runs = [&] {
    unsigned bits = 0;
    for (int i = 0; i < n_; ++i)
      if (active[std::size_t(i)]) bits |= 1u << run_of_[std::size_t(i)];
    return bits;
  };
  found.loaded = runs();
  for (int k = entries_ - 1; k >= 0; --k) {
    const auto [i, j] = solve_.L_entries[std::size_t(k)];
    if (active[std::size_t(i)]) active[std::size_t(j)] = true;
  }
  found.active = runs();
  return found;
}

std::string ColumnSolveWriter::L(int k) const {
  if (shared_) return "factor[" + std::to_string(k) + " * ROBOTS]";
  const auto [i, j] = solve_.L_entries[std::size_t(k)];
  return element(solve_.L, i * n_ + j);
}

// Tables larger than this are not kept in constant memory, which has 64 KB.
constexpr std::size_t max_table_bytes = 32'000;

std::string ColumnSolveWriter::tables() const {
  std::ostringstream out;
  out << "// The elements of L that are not zero.\n__constant__ unsigned where[" << std::max(entries_, 1) << "] = {";
  for (const auto& [i, j] : solve_.L_entries) out << i * n_ + j << ", ";
  out << (entries_ == 0 ? "0" : "")
      << "};\nstruct Group { unsigned loaded, active; unsigned short side, first; };\n"
         "__constant__ Group groups["
      << groups_.size() << "] = {\n";
  for (const auto& g : groups_)
    out << "  {" << g.loaded << ", " << g.active << ", " << g.side << ", " << g.first << "},\n";
  out << "};\n// For each group and row, a bit for each column that is not zero there.\n"
      << (groups_.size() * std::size_t(n_) > max_table_bytes ? "__device__ const" : "__constant__")
      << " unsigned char written[" << groups_.size() << "][" << n_ << "] = {\n";
  for (const auto& g : groups_) {
    out << "  {";
    for (int i = 0; i < n_; ++i) {
      int bits = 0;
      for (int c = 0; c < columns_; ++c)
        bits |= int(solve_.sides[std::size_t(g.side)].written[std::size_t(i * n_ + g.first + c)]) << c;
      out << (i == 0 ? "" : ", ") << bits;
    }
    out << "},\n";
  }
  out << "};\n";
  return out.str();
}

// Copies L and D of the block's robots into shared memory, all of it at once, and inverts D. Volatile: otherwise
// compilers keep what both substitutions read in registers, of which there are too few. (Tests run threads one after
// another: there, each copies all that it needs.)
void ColumnSolveWriter::write_factor(std::ostream& out) const {
  if (!shared_) return;
  const auto each = [&](int count) { return "  for (int k = begin; k < " + std::to_string(count) + "; k += step) "; };
  const auto diagonal = "factor[(" + std::to_string(entries_) + " + k) * ROBOTS]";
  out << "  extern __shared__ __align__(16) char shared_bytes[];\n"
         "  volatile Real* const factor = (volatile Real*)shared_bytes + lane;\n"
         "#ifdef LISSOM_ON_CPU\n  const int begin = 0, step = 1;\n#else\n  const int begin = team, step = "
         "TEAMS;\n#endif\n"
      << each(entries_) << "copy_to_shared(&factor[k * ROBOTS], row(" << solve_.L << ", " << solve_.L
      << "_pitch, where[k]));\n"
      << each(n_) << "copy_to_shared(&" << diagonal << ", row(" << solve_.D << ", " << solve_.D << "_pitch, k));\n"
      << "  wait_for_copies();\n"
      << each(n_) << diagonal << " = inverse(" << diagonal << ");\n  __syncthreads();\n";
}

void ColumnSolveWriter::write_arrays_of_group(std::ostream& out) const {
  out << "    const int side = groups[group].side, column = groups[group].first;\n"
         "    const unsigned loaded = groups[group].loaded, active = groups[group].active;\n"
         "    const Real* right = 0;\n    Real* solution = 0;\n    int right_pitch = 0, solution_pitch = 0;\n";
  for (std::size_t s = 0; s < solve_.sides.size(); ++s) {
    const auto& [input, output, written] = solve_.sides[s];
    out << "    if (side == " << s << ") {";
    if (!input.empty())
      out << " right = row(" << input << ", " << input << "_pitch, column), right_pitch = " << input << "_pitch;";
    out << " solution = row(" << output << ", " << output << "_pitch, column), solution_pitch = " << output
        << "_pitch; }\n";
  }
  out << "    const Real sign = right ? -1 : 1;\n";
}

// The array of -B, or the identity. Nothing is computed yet, so that nothing has to wait for one number before the next
// is asked for.
void ColumnSolveWriter::write_right_side(std::ostream& out) const {
  for (int i = 0; i < n_; ++i)
    for (int c = 0; c < columns_; ++c) out << "    Real " << x(i, c) << " = 0;\n";
  out << "    if (right) {\n";
  for (int i = 0; i < n_; ++i) {
    if (i == 0 || run_of_[std::size_t(i)] != run_of_[std::size_t(i - 1)])
      out << (i == 0 ? "" : "      }\n") << "      if (loaded & " << (1u << run_of_[std::size_t(i)]) << "u) {\n";
    out << "        const int w" << i << " = written[group][" << i << "];\n";
    for (int c = 0; c < columns_; ++c)
      out << "        " << x(i, c) << " = load_if(w" << i << " & " << (1 << c) << ", row(right, right_pitch, "
          << i * n_ + c << "));\n";
  }
  out << "      }\n    } else {\n";
  for (int i = 0; i < n_; ++i)
    for (int c = 0; c < columns_; ++c)
      out << "      " << x(i, c) << " = column + " << c << " == " << i << " ? 1 : 0;\n";
  out << "    }\n";
}

void ColumnSolveWriter::write_entry(std::ostream& out, int k, int from, int to) const {
  out << "    {\n      const Real l = " << L(k) << ";\n";
  for (int c = 0; c < columns_; ++c) out << "      " << x(to, c) << " -= l * " << x(from, c) << ";\n";
  out << "    }\n";
}

// x := M⁻¹ x: Lᵀ, where x is not zero, then D, then L (Featherstone 2008, table 6.4).
void ColumnSolveWriter::write_substitution(std::ostream& out) const {
  int run = -1;
  for (int k = entries_ - 1; k >= 0; --k) {
    const auto [i, j] = solve_.L_entries[std::size_t(k)];
    if (run_of_[std::size_t(i)] != run) {
      out << (run < 0 ? "" : "    }\n") << "    if (active & " << (1u << run_of_[std::size_t(i)]) << "u) {\n";
      run = run_of_[std::size_t(i)];
    }
    write_entry(out, k, i, j);
  }
  if (run >= 0) out << "    }\n";
  for (int i = 0, k = 0; i < n_; ++i) {
    out << "    {\n      const Real d = sign * "
        << (shared_ ? "factor[" + std::to_string(entries_ + i) + " * ROBOTS]" : "inverse(" + element(solve_.D, i) + ")")
        << ";\n";
    for (int c = 0; c < columns_; ++c) out << "      " << x(i, c) << " *= d;\n";
    out << "    }\n";
    for (; k < entries_ && solve_.L_entries[std::size_t(k)].first == i; ++k)
      write_entry(out, k, solve_.L_entries[std::size_t(k)].second, i);
  }
}

void ColumnSolveWriter::write_solution(std::ostream& out) const {
  for (int i = 0; i < n_; ++i)
    for (int c = 0; c < columns_; ++c)
      out << "    store(row(solution, solution_pitch, " << i * n_ + c << "), " << x(i, c) << ");\n";
}

std::string ColumnSolveWriter::statements() const {
  std::ostringstream out;
  // Lanes beyond the last robot compute the last one, too.
  out << "  const int lane = threadIdx.x % ROBOTS, team = threadIdx.x / ROBOTS;\n"
         "  const int robot = min((int)blockIdx.x * ROBOTS + lane, count - 1);\n";
  std::vector<std::string> arrays = {solve_.L, solve_.D};
  for (const auto& side : solve_.sides) {
    if (!side.input.empty()) arrays.push_back(side.input);
    arrays.push_back(side.output);
  }
  for (const auto& array : arrays) out << "  " << array << " += robot;\n";
  write_factor(out);
  out << "#pragma unroll 1\n  for (int group = team; group < " << groups_.size() << "; group += TEAMS) {\n";
  write_arrays_of_group(out);
  write_right_side(out);
  write_substitution(out);
  write_solution(out);
  out << "  }\n";
  return out.str();
}

}  // namespace

ColumnSolveOptions fastest_options(const ColumnSolve& solve, bool single_precision, std::size_t max_factor_bytes) {
  ColumnSolveOptions options{
      .single_precision = single_precision, .robots = 64, .teams = 5, .max_factor_bytes = max_factor_bytes};
  if (bytes_of_factor(solve, options) > max_factor_bytes) options.robots = 32, options.teams = 4;
  const auto registers = [&] { return options.columns * solve.n * (single_precision ? 1 : 2) + 24; };  // of a thread
  if (registers() > 200) options.columns = 1;
  options.min_blocks = std::clamp(65536 / (options.robots * options.teams * registers()), 1, 4);
  return options;
}

KernelSource kernel_source(const ColumnSolve& solve, const std::string& name, const ColumnSolveOptions& options) {
  const ColumnSolveWriter writer(solve, options);
  const int n = solve.n;
  KernelSource source{.name = "lissom_" + name,
                      .text = {},
                      .arrays = {{solve.L, n * n, false, false}, {solve.D, n, false, false}},
                      .threads = options.robots * options.teams,
                      .robots = options.robots,
                      .shared_bytes = writer.shared_bytes(),
                      .loops = {}};
  for (const auto& side : solve.sides)
    if (!side.input.empty()) source.arrays.push_back({side.input, n * n, false, false});
  for (const auto& side : solve.sides) source.arrays.push_back({side.output, n * n, true, false});
  source.text = kernel_head("Solutions of M X = B; a thread of each team for each robot", options.single_precision,
                            source.threads) +
                shared_copy_prelude + "#define ROBOTS " + std::to_string(options.robots) + "\n#define TEAMS " +
                std::to_string(options.teams) + "\n" + writer.tables() + kernel_signature(source, options.min_blocks) +
                " {\n" + writer.statements() + "}\n";
  return source;
}

}  // namespace lissom::gpu
