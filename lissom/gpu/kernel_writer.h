#pragma once
// Writes the operations of a program as statements of CUDA: straight-line code in the order of its schedule, with loops
// over equal limbs in it. Not for users.
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "lissom/gpu/kernel_source.h"
#include "lissom/gpu/limb_loops.h"

namespace lissom::gpu {

class KernelWriter {
 public:
  KernelWriter(const Program& program, const KernelOptions& options);

  // The statements of the kernel; afterwards, tables() has the constants of its loops.
  std::string statements();
  const std::string& tables() const { return tables_; }
  const std::vector<LimbLoop>& loops() const { return loops_; }
  // The elements of an input that are read: the first, and how many from it on; (0, 0) for none.
  std::pair<int, int> rows_read(const codegen::Field& field) const;

 private:
  // The value of a node that a loop computes: in which operation, for which limb.
  struct Computed {
    int loop, operation, limb;
  };
  // The loop that is being written, and what of it is there already.
  struct LoopInWork {
    int loop = -1, pass = 0;
    std::ostringstream* body = nullptr;
    std::set<int> written;
    std::map<LimbNodes, std::string> sines, inputs;
  };

  std::string text();
  void write_segment(int segment);
  void write_node(NodeId n);
  void write_results(NodeId n);
  void write_constant_results();
  void write_loop(int loop, int pass);
  void write_operation(int operation);
  void write_results_in_loop(const LimbNodes& nodes, const std::string& name);

  std::string value(NodeId n);
  std::string value_in_loop(const LimbNodes& nodes);
  std::string sine(NodeId n);
  std::string saved(int loop, int operation, const std::string& limb);
  std::string read(int position, int step) const;
  void store(int result, int step, const std::string& x);
  std::string expression(Op op, const std::string& a, const std::string& b, const std::string& c) const;
  std::string constant(double value) const;
  const codegen::Field& field_of(const std::vector<codegen::Field>& fields, int position) const;
  int slot_count(int loop) const;

  const Program& program_;
  KernelOptions options_;
  codegen::Schedule schedule_;
  std::vector<LimbLoop> loops_;
  std::map<NodeId, Computed> in_loops_;
  std::set<NodeId> replaced_;                // by sums of loops
  std::map<NodeId, std::string> sum_names_;  // the values of such sums
  std::map<NodeId, std::vector<int>> results_of_;

  // What loops have to keep for later, by loop and operation; the first run finds it, and the second uses it.
  std::map<std::pair<int, int>, int> slots_;

  // These belong to one run.
  std::ostringstream out_;
  std::map<std::pair<int, NodeId>, std::string> sines_;  // by segment, where they are repeated, and angle
  std::set<NodeId> loaded_, written_;
  std::map<int, std::map<std::vector<double>, int>> table_;  // the constants of each loop
  LoopInWork loop_;
  int segment_ = 0;
  std::string tables_;
};

// Whether an input is one number for all robots.
inline bool is_scalar(const codegen::Field& field) {
  return field.name == "dt";
}

}  // namespace lissom::gpu
