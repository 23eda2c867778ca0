#pragma once
// How a scheduled program becomes text: which operations form one function, which are written inside of the expression
// that uses them, which values are handed from function to function. Not installed.
#include <vector>

#include "lissom/codegen/program.h"
#include "lissom/codegen/schedule.h"

namespace lissom::codegen {

struct LayoutOptions {
  /// A program of more operations is divided into functions; 0: never.
  int operations_per_part = 0;
  /// Sines and cosines that depend on no other one are computed before everything else, together.
  bool sincos_first = true;
};

struct Layout {
  /// Arguments of the sines and cosines that are computed first, and the operations that they need.
  std::vector<NodeId> angles, before_angles;
  std::vector<std::vector<NodeId>> parts;  ///< all other operations
  // For each node:
  std::vector<int> angle;          ///< index in `angles` of a sine or cosine that is computed first; else -1
  std::vector<int> part, segment;  ///< where it is computed; -1: nowhere, or before several parts
  std::vector<std::vector<NodeId>> users;
  std::vector<std::vector<int>> results;  ///< positions among the outputs
  std::vector<bool> inlined;              ///< written inside of its only user
  std::vector<int> slot;                  ///< where it is kept for later parts; -1: nowhere
  int slots = 0;

  Layout(const Program& program, const Schedule& schedule, const LayoutOptions& options);

 private:
  void find_users(const Program& program);
  void find_angles(const Program& program, const Schedule& schedule);
  void divide(const Program& program, const Schedule& schedule, int operations_per_part);
  void find_inlined(const Program& program);
  void find_slots();
};

}  // namespace lissom::codegen
