#pragma once
// One model for each row: the same robot with other parameters.
#include <mutex>

#include "quantity.h"

namespace lissom::python {

/// A parameter of a link or a joint, with a value for each row: "forearm.mass".
struct Parameter {
  enum class Kind {
    mass,
    com,
    inertia,
    origin,
    length,
    damping,
    dry_friction,
    spring_stiffness,
    spring_rest,
    armature,
    velocity_limit,
    effort_limit
  };
  Kind kind;
  std::string owner;  ///< a link or a joint
  int index = 0;      ///< of the link or joint in the description
  long width = 1;     ///< elements of one value
  long stride = 0;    ///< elements from row to row; 0: one value for all
  std::vector<double> values;
  const double* row(long i) const { return values.data() + i * stride; }
};

class Variants {
 public:
  Variants(const BoundModel& model, std::vector<Parameter> parameters, long count);

  long size() const { return long(rows_.size()); }
  const BoundModel& base() const { return base_; }
  /// The model of a row, with shapes. Throws an Error if it could not be built.
  Model model(long row) const;
  std::vector<std::pair<long, std::string>> failed() const;
  std::size_t parameter_count() const { return parameters_.size(); }

  /// Calls f(model, workspace, first, end) for each variant with the part of `rows` that belongs to it, on threads;
  /// f(nullptr, …) for one that could not be built. `rows` is a multiple of size(). The caller has the GIL, f has not;
  /// after each piece of this many variants, Ctrl-C raises KeyboardInterrupt.
  using OnRows = std::function<void(const Model*, Workspace*, long first, long end)>;
  void for_all(long rows, long piece, const OnRows& f);

 private:
  struct Row {
    std::optional<Model> model;
    std::unique_ptr<Workspace> work;
    std::string failure;
  };
  void on_threads(long begin, long end, long each, const OnRows& f);  // variants begin … end - 1, `each` rows of each
  Model built(Description description, long i) const;                 // with the parameters of row i

  BoundModel base_;
  Description bare_;  // without shapes: dynamics does not need them, and they are most of the memory
  std::vector<Parameter> parameters_;
  std::vector<Row> rows_;
  std::mutex in_use_;  // the workspaces belong to one caller at a time
};

/// The Variants with the parameters they were made of.
struct BoundVariants {
  std::unique_ptr<Variants> variants;
  nb::dict parameters;
};
/// Computes quantities, each row with its own model; rows without a model are NaN. The arrays for the results are made
/// by make_results(k), once the arguments are read.
void evaluate_variants(BoundVariants& self, std::span<const batch::Quantity> quantities,
                       const QuantityArguments& arguments, Call& call, const std::function<void(int)>& make_results);
/// One of them.
nb::object evaluate(BoundVariants& self, batch::Quantity quantity, const QuantityArguments& arguments, nb::handle out);

void bind_derivatives(nb::class_<BoundVariants>& variants);

/// "forearm.mass" and its values, as the parameter of a description. `count` grows from -1 to the number of rows.
Parameter read_parameter(const BoundModel& model, const std::string& name, nb::handle values, long& count);

}  // namespace lissom::python
