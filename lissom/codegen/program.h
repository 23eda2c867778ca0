#pragma once
// An algorithm for one robot as a program without branches: named inputs and outputs, and a graph of operations between
// them.
#include <span>
#include <string>
#include <vector>

#include "lissom/codegen/graph.h"

namespace lissom::codegen {

/// A named array of inputs or outputs. Elements lie one after another: matrices by rows, unless it says otherwise.
struct Field {
  std::string name;     ///< "q", "tau": also the name of the parameter in generated code
  int count = 0;        ///< of elements
  int first = 0;        ///< position of its first element among all inputs, or all outputs
  std::string meaning;  ///< a sentence for the reader of generated code, with units
};

/// How many operations of each kind a program has.
struct OperationCounts {
  int additions = 0;  ///< and subtractions
  int multiplications = 0;
  int negations = 0;
  int divisions = 0;
  int square_roots = 0;
  int sincos = 0;  ///< different angles whose sine or cosine, or both, are computed
  int arc_tangents = 0;
  int selections = 0;  ///< and comparisons
  /// Additions, multiplications and divisions.
  int arithmetic() const { return additions + multiplications + divisions; }
  bool operator==(const OperationCounts&) const = default;
};

/// A limb: a chain of bodies without branches. Limb 0 holds the base. Limbs are numbered in the order in which it is
/// best to process them: parents before children, and the limbs of one body in the order in which recursions sum them.
struct Limb {
  std::string name;  ///< of its first joint
  int parent = -1;
};

/// An algorithm for one robot: a graph, with its inputs and outputs.
struct Program {
  std::string algorithm;  ///< "rnea"; also the name of the function in generated code
  std::string meaning;    ///< a sentence for the reader of generated code
  Graph graph;
  std::vector<Field> inputs, outputs;
  /// The node of each element of the outputs, no_node for those that are not written.
  std::vector<NodeId> results;

  std::vector<Limb> limbs;
  std::vector<int> input_limb, output_limb;  ///< of each element: the limb it belongs to

  int input_count() const { return int(input_limb.size()); }
  OperationCounts counts() const;
  /// Adds an array of inputs and returns the nodes of its elements. limb(i) is the limb of element i.
  std::vector<NodeId> add_input(std::string name, std::span<const int> element_limbs, std::string meaning);
  void add_output(std::string name, std::span<const NodeId> nodes, std::span<const int> element_limbs,
                  std::string meaning);
};

/// The outputs for given inputs, all fields one after another; elements that are not written are NaN.
/// Throws Error if the number of inputs is wrong.
std::vector<double> evaluate(const Program& program, std::span<const double> inputs);

}  // namespace lissom::codegen
