#include "lissom/symbolic/equations.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "lissom/model/arguments.h"
#include "lissom/model/text.h"
#include "lissom/symbolic/closed_forms.h"
#include "lissom/symbolic/form_data.h"
#include "lissom/symbolic/terms.h"

namespace lissom {
namespace {

using symbolic::Polynomials;

// A quantity that can be asked for.
struct PrintedQuantity {
  const char *name, *meaning, *arguments;
  bool of_frame;
};
constexpr PrintedQuantity quantities[] = {
    {"H", "mass matrix", "(q)", false},
    {"C", "Coriolis and centrifugal forces", "(q, v)", false},
    {"G", "gravity forces", "(q)", false},
    {"T", "kinetic energy", "(q, v)", false},
    {"U", "potential energy", "(q)", false},
    {"p", "position of the frame in the world", "(q)", true},
    {"R", "orientation of the frame in the world", "(q)", true},
    {"J", "Jacobian of the frame: linear and angular velocity in the world", "(q)", true},
};

const PrintedQuantity& quantity(std::string_view name) {
  if (name == "M") name = "H";
  const auto at = std::ranges::find(quantities, name, &PrintedQuantity::name);
  if (at != std::end(quantities)) return *at;
  std::string known;
  for (const auto& q : quantities) known += std::string(known.empty() ? "" : ", ") + q.name;
  throw Error("no quantity " + in_quotes(name) + "; quantities: " + known + " (M is H)");
}

std::vector<PrintedQuantity> chosen(const EquationOptions& options) {
  std::vector<std::string> names = options.only;
  if (names.empty())
    names = options.frame.empty() ? std::vector<std::string>{"H", "C", "G"} : std::vector<std::string>{"p", "J"};
  std::vector<PrintedQuantity> out;
  for (const auto& name : names) {
    const auto& q = quantity(name);
    if (q.of_frame && options.frame.empty())
      throw Error(std::string(q.name) + " belongs to a frame, and none is given; choose one with frame (--frame)");
    if (std::ranges::find(out, std::string_view(q.name),
                          [](const PrintedQuantity& o) { return std::string_view(o.name); }) == out.end())
      out.push_back(q);
  }
  return out;
}

// Whether v is the rate of q.
bool has_rates(const Model& model) {
  return std::ranges::all_of(model.joints(),
                             [](const Joint& j) { return j.nv == 0 || joint_traits(j.type).is_flat(); });
}

// An upper bound of the terms of H. The inertia of a body, seen from a joint before it, has terms of second degree in
// the sines and cosines of each angle between them: 1, c, s, c², s c. From that joint to one before it, the force has
// terms of first degree.
double estimated_terms(const Model& model) {
  const auto& tree = model.tree<double>();
  const auto angles = [&](const Body<double>& body) {
    if (rotation_axis(body.kind) >= 0) return 1;
    return is_prismatic(body.kind) ? 0 : 3;
  };
  const auto n = tree.bodies.size();
  std::vector<double> beyond(n, 0.0);  // terms of the inertia beyond a joint
  double total = 0;
  for (const auto& body : tree.inward()) {
    auto& inertia = beyond[std::size_t(body.index)] += 1;
    double rows = body.dofs * inertia;
    for (int i = body.index; i != world; i = tree.bodies[std::size_t(i)].parent) {
      total += rows * tree.bodies[std::size_t(i)].dofs;
      rows *= std::pow(3.0, angles(tree.bodies[std::size_t(i)]));
    }
    beyond[std::size_t(body.parent)] += inertia * std::pow(5.0, angles(body));
  }
  return total;
}

// Intermediate results may have this many terms for each that is printed.
constexpr std::size_t arena_share = 500;
constexpr std::size_t max_arena = 20'000'000;  // terms, of intermediate results, too; about a gigabyte

std::string rounded(double count) {
  return count < 1e5 ? std::to_string(std::llround(count)) : "10^" + std::to_string(std::lround(std::log10(count)));
}

// `size` tells how long they are.
[[noreturn]] void refuse(const Model& model, const EquationOptions& options, const std::string& size) {
  throw Error(model.name() + " has " + std::to_string(model.nv()) +
              " degrees of freedom, and its equations are too long to read: " + size + ", and at most " +
              std::to_string(options.max_terms) +
              " terms are printed; ask for less with only (--only), or raise the limit with max_terms (--max-terms, "
              "--force)");
}
// Intermediate results grew too long, so that the size can only be estimated.
[[noreturn]] void refuse_intermediate(const Model& model, const EquationOptions& options) {
  if (options.max_terms < max_arena / arena_share)
    refuse(model, options, "H alone may have up to " + rounded(estimated_terms(model)) + " terms");
  throw Error(model.name() + " has " + std::to_string(model.nv()) +
              " degrees of freedom, and its equations do not fit into memory: intermediate results have more than " +
              std::to_string(max_arena) + " terms; ask for less with only (--only)");
}

class Computation {
 public:
  Computation(const Model& model, const EquationOptions& options)
      : model_(model), options_(options), arena_(std::min<std::size_t>(arena_share * options.max_terms, max_arena)) {
    if (options_.stop) arena_.watch([this] { check(); });
  }

  std::vector<ClosedForm> run() {
    const symbolic::ArenaScope scope(arena_);
    const auto wanted = chosen(options_);
    std::optional<FrameId> frame;
    if (!options_.frame.empty()) frame = model_.frame(options_.frame);
    symbolic_ = symbolic::symbolic_model(arena_, model_, options_.symbols, frame);
    axes_ = symbolic::parallel_axes(arena_, symbolic_);
    std::vector<ClosedForm::Data> forms;
    for (const auto& q : wanted) forms.push_back(form(q));
    name_symbols(forms);
    std::vector<ClosedForm> out;
    for (auto& data : forms) {
      data.symbols = all_;
      out.emplace_back(std::make_shared<const ClosedForm::Data>(std::move(data)));
    }
    return out;
  }
  // Coordinates, velocities, and the parameters that appear.
  std::vector<Symbol> listed_symbols() const {
    std::vector<Symbol> out;
    std::ranges::copy_if(*all_, std::back_inserter(out), [](const Symbol& s) { return s.index >= 0 || s.appears; });
    return out;
  }

 private:
  void check() const {
    if (options_.stop && options_.stop()) throw Error("the equations of " + model_.name() + " were stopped");
  }

  Polynomials polynomials(char name) {
    if (!frame_ && (name == 'p' || name == 'R' || name == 'J')) frame_ = symbolic::frame_forms(model_, symbolic_);
    switch (name) {
      case 'H':
        return symbolic::mass_matrix(model_, symbolic_);
      case 'C':
        return symbolic::coriolis_forces(model_, symbolic_);
      case 'G':
        return symbolic::gravity_forces(model_, symbolic_);
      case 'T':
        return {symbolic::kinetic_energy(model_, symbolic_)};
      case 'U':
        return {symbolic::potential_energy(model_, symbolic_)};
      case 'p':
        return frame_->position;
      case 'R':
        return frame_->rotation;
      default:
        return frame_->jacobian;
    }
  }

  ClosedForm::Data form(const PrintedQuantity& of) {
    const auto entries = polynomials(of.name[0]);
    ClosedForm::Data data;
    data.name = of.name, data.meaning = of.meaning, data.arguments = of.arguments;
    if (data.arguments == "(q, v)" && has_rates(model_)) data.arguments = "(q, \\dot q)";
    data.nq = model_.nq(), data.nv = model_.nv(), data.digits = options_.digits;
    data.symmetric = data.name == "H";
    data.columns = data.name == "H" || data.name == "J" ? data.nv : data.name == "R" ? 3 : 1;
    data.rows = int(entries.size()) / data.columns;
    std::size_t raw = 0;
    for (int i = 0; i < data.rows; ++i)
      for (int j = data.symmetric ? i : 0; j < data.columns; ++j)
        raw += arena_.terms(entries[std::size_t(i * data.columns + j)]).size();
    // Forms on paper are seldom more than ten times shorter.
    const auto size = data.name + " alone has about " + rounded(double(raw)) + " terms";
    if (raw / 10 > options_.max_terms) refuse(model_, options_, size);
    for (int i = 0; i < data.rows; ++i)
      for (int j = 0; j < data.columns; ++j) {
        if (data.symmetric && j < i) {
          data.entries.push_back(data.at(j, i));
          continue;
        }
        check();
        const auto entry = entries[std::size_t(i * data.columns + j)];
        const auto terms = symbolic::folded(arena_, entry, symbolic_.symbols, axes_);
        data.entries.push_back(data.name == "T" ? symbolic::collected_by_velocities(terms, arena_.angles())
                                                : symbolic::factored(terms, arena_.angles()));
        terms_ += symbolic::term_count(data.entries.back());
        if (terms_ > options_.max_terms)
          refuse(model_, options_, raw > options_.max_terms ? size : "together they have more terms than that");
      }
    return data;
  }

  // The component of a parameter is named where another component of the same appears, too.
  void name_symbols(const std::vector<ClosedForm::Data>& forms) {
    std::vector<bool> used(symbolic_.symbols.size());
    for (const auto& data : forms)
      for (const auto& entry : data.entries) symbolic::mark_symbols(entry, used);
    std::map<std::pair<std::string, int>, int> count;
    auto symbols = symbolic_.symbols;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      symbols[i].appears = used[i];
      if (used[i]) ++count[{symbols[i].base, symbols[i].number}];
    }
    for (auto& s : symbols)
      if (s.index < 0) s.has_suffix = !s.appears || count[{s.base, s.number}] != 1;
    all_ = std::make_shared<const std::vector<Symbol>>(std::move(symbols));
  }

  const Model& model_;
  const EquationOptions& options_;
  symbolic::Arena arena_;
  symbolic::SymbolicModel symbolic_{};
  symbolic::ParallelAxes axes_;
  std::optional<symbolic::FrameForms> frame_;
  std::size_t terms_ = 0;
  std::shared_ptr<const std::vector<Symbol>> all_;
};

}  // namespace

Equations equations(const Model& model, const EquationOptions& options) {
  if (options.digits < 1 || options.digits > 17)
    throw Error("digits is " + std::to_string(options.digits) + ", expected 1 to 17");
  if (model.nv() == 0) throw Error(model.name() + " has no degrees of freedom, and no equations of motion");
  Computation computation(model, options);
  Equations out;
  out.robot_ = model.name();
  out.has_loops_ = !model.loops().empty();
  out.has_rates_ = has_rates(model);
  try {
    out.forms_ = computation.run();
  } catch (const symbolic::TooManyTerms&) {
    refuse_intermediate(model, options);
  }
  out.symbols_ = computation.listed_symbols();
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(out.forms_, [&](const ClosedForm& f) { return f.name() == name; });
  };
  out.is_motion_ = has("H") && has("C") && has("G");
  out.has_all_coordinates_ = has("H") || has("C") || has("G");
  return out;
}

SymbolGroups symbol_groups(std::string_view words) {
  static constexpr std::string_view known[] = {"masses", "lengths", "inertias", "gravity", "all", "none"};
  SymbolGroups groups;
  for (;;) {
    const auto word = words.substr(0, words.find(','));
    if (std::ranges::find(known, word) == std::end(known)) {
      const auto hint = did_you_mean(word, known);
      throw Error("no group of symbols " + in_quotes(word) + "; " + (hint.empty() ? "" : hint + " ") +
                  "groups: masses, lengths, inertias, gravity, all, none");
    }
    if (word == "none") groups.gravity = false;
    if (word == "masses" || word == "all") groups.masses = true;
    if (word == "lengths" || word == "all") groups.lengths = true;
    if (word == "inertias" || word == "all") groups.inertias = true;
    if (word.size() == words.size()) return groups;
    words.remove_prefix(word.size() + 1);
  }
}

const ClosedForm& Equations::operator[](std::string_view name) const {
  const std::string_view wanted = quantity(name).name;
  for (const auto& form : forms_)
    if (form.name() == wanted) return form;
  throw Error(std::string(wanted) + " is not among these equations; name it in EquationOptions::only");
}

const std::string& ClosedForm::name() const {
  return data_->name;
}
const std::string& ClosedForm::meaning() const {
  return data_->meaning;
}
int ClosedForm::rows() const {
  return data_->rows;
}
int ClosedForm::columns() const {
  return data_->columns;
}
int ClosedForm::nq() const {
  return data_->nq;
}
int ClosedForm::nv() const {
  return data_->nv;
}
std::size_t ClosedForm::term_count() const {
  std::size_t count = 0;
  for (int i = 0; i < data_->rows; ++i)
    for (int j = data_->symmetric ? i : 0; j < data_->columns; ++j) count += symbolic::term_count(data_->at(i, j));
  return count;
}

namespace {

const symbolic::Expression& entry(const ClosedForm::Data& data, int row, int column) {
  if (row < 0 || row >= data.rows || column < 0 || column >= data.columns)
    throw Error(data.name + " has no entry (" + std::to_string(row) + ", " + std::to_string(column) + "); it has " +
                counted(std::size_t(data.rows), "row") + " and " + counted(std::size_t(data.columns), "column"));
  return data.at(row, column);
}

}  // namespace

std::string ClosedForm::text(int row, int column) const {
  return symbolic::text(entry(*data_, row, column), *data_->symbols, data_->digits);
}
std::string ClosedForm::latex(int row, int column) const {
  return symbolic::latex(entry(*data_, row, column), *data_->symbols, data_->digits);
}

Eigen::MatrixXd ClosedForm::evaluate(const VectorIn& q, const VectorIn& v,
                                     const std::map<std::string, double>& parameters) const {
  const auto& d = *data_;
  expect_size("q", q.size(), d.nq);
  expect_size("v", v.size(), d.nv);
  std::vector<double> values;
  for (const auto& s : *d.symbols)
    values.push_back(s.kind == SymbolKind::coordinate ? q[s.index]
                     : s.kind == SymbolKind::velocity ? v[s.index]
                                                      : s.value);
  for (const auto& [name, value] : parameters) {
    const auto at =
        std::ranges::find_if(*d.symbols, [&](const Symbol& s) { return s.index < 0 && s.appears && s.text() == name; });
    if (at == d.symbols->end()) throw Error("no parameter " + in_quotes(name) + " in " + d.name);
    values[std::size_t(at - d.symbols->begin())] = value;
  }
  Eigen::MatrixXd out(d.rows, d.columns);
  for (int i = 0; i < d.rows; ++i)
    for (int j = 0; j < d.columns; ++j) out(i, j) = symbolic::evaluate(d.at(i, j), values);
  return out;
}

}  // namespace lissom
