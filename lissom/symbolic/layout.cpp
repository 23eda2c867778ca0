// Matrices of closed forms in text and LaTeX.
#include <algorithm>
#include <numeric>

#include "lissom/model/diagnostic.h"
#include "lissom/symbolic/form_data.h"

namespace lissom {
namespace {

// Columns that a text takes on a terminal: characters without the dots above others.
int width_of(std::string_view text) {
  int width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) == 0x80) continue;
    const bool dot = byte == 0xCC && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) == 0x87;
    if (!dot) ++width;
  }
  return width;
}
std::string padded(const std::string& text, int width) {
  return text + std::string(std::size_t(std::max(0, width - width_of(text))), ' ');
}

// "⎡", "⎢", "⎣", or "[" of a single line.
std::pair<const char*, const char*> brackets(int row, int rows) {
  if (rows == 1) return {"[", "]"};
  if (row == 0) return {"⎡", "⎤"};
  return row + 1 == rows ? std::pair{"⎣", "⎦"} : std::pair{"⎢", "⎥"};
}

// "H12", "C3", "H[1,10]"
std::string entry_name(const ClosedForm::Data& d, int row, int column) {
  if (d.rows == 1 && d.columns == 1) return d.name;
  if (d.columns == 1) return d.name + std::to_string(row + 1);
  if (d.rows < 10 && d.columns < 10) return d.name + std::to_string(row + 1) + std::to_string(column + 1);
  return d.name + "[" + std::to_string(row + 1) + "," + std::to_string(column + 1) + "]";
}

// Entries that are not zero, one line each.
std::string as_list(const ClosedForm::Data& d, const std::vector<std::string>& cells) {
  std::string out;
  bool zeros = false;
  for (int i = 0; i < d.rows; ++i)
    for (int j = d.symmetric ? i : 0; j < d.columns; ++j) {
      const auto& cell = cells[std::size_t(i * d.columns + j)];
      if (cell == "0") {
        zeros = true;
        continue;
      }
      const auto mirrored = d.symmetric && i != j ? entry_name(d, j, i) + " = " : "";
      out += entry_name(d, i, j) + " = " + mirrored + cell + "\n";
    }
  if (zeros) out += (out.empty() ? "all entries of " : "all other entries of ") + d.name + " are 0\n";
  return out;
}

}  // namespace

std::string ClosedForm::text(int width) const {
  const auto& d = *data_;
  std::vector<std::string> cells;
  for (const auto& e : d.entries) cells.push_back(symbolic::text(e, *d.symbols, d.digits));
  if (d.rows == 1 && d.columns == 1) return d.name + " = " + cells[0] + "\n";
  std::vector<int> widths(std::size_t(d.columns), 0);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    auto& w = widths[k % std::size_t(d.columns)];
    w = std::max(w, width_of(cells[k]));
  }
  const int lead = width_of(d.name) + 3;
  if (lead + 4 + std::accumulate(widths.begin(), widths.end(), 3 * (d.columns - 1)) > width) return as_list(d, cells);
  std::string out;
  const int middle = (d.rows - 1) / 2;
  for (int i = 0; i < d.rows; ++i) {
    const auto [open, close] = brackets(i, d.rows);
    out += i == middle ? d.name + " = " : std::string(std::size_t(lead), ' ');
    out += open;
    for (int j = 0; j < d.columns; ++j)
      out += (j == 0 ? " " : "   ") + padded(cells[std::size_t(i * d.columns + j)], widths[std::size_t(j)]);
    out += std::string(" ") + close + "\n";
  }
  return out;
}

std::string ClosedForm::latex() const {
  const auto& d = *data_;
  if (d.rows == 1 && d.columns == 1) return d.name + d.arguments + " &= " + latex(0, 0);
  std::string out = d.name + d.arguments + " &= \\begin{pmatrix}\n";
  for (int i = 0; i < d.rows; ++i) {
    for (int j = 0; j < d.columns; ++j) out += (j == 0 ? "    " : " & ") + latex(i, j);
    out += i + 1 < d.rows ? " \\\\\n" : "\n";
  }
  return out + "  \\end{pmatrix}";
}

std::string Equations::latex() const {
  // amsmath's matrices have at most ten columns unless told otherwise.
  int columns = 0;
  for (const auto& form : forms_) columns = std::max(columns, form.columns());
  std::string out = columns > 10 ? "\\setcounter{MaxMatrixCols}{" + std::to_string(columns) + "}\n" : "";
  out += "\\begin{align*}\n";
  for (std::size_t i = 0; i < forms_.size(); ++i)
    out += "  " + forms_[i].latex() + (i + 1 < forms_.size() ? " \\\\\n" : "\n");
  return out + "\\end{align*}\n";
}

std::string Equations::text(int width) const {
  std::string out = robot_;
  if (is_motion_)
    out += has_rates_ ? ": H(q) q\u0308 + C(q, q\u0307) + G(q) = τ" : ": H(q) v\u0307 + C(q, v) + G(q) = τ";
  out += "\n";
  if (has_loops_) out += "without its closed loops\n";
  out += "\n";
  for (const auto kind : {SymbolKind::coordinate, SymbolKind::velocity})
    for (const auto& s : symbols_)
      // The rate of q1 needs no explanation.
      if (s.kind == kind && !s.is_rate && (s.appears || has_all_coordinates_))
        out += s.text() + ": " + s.meaning + (s.unit == std::string_view("1") ? "" : std::string(" (") + s.unit + ")") +
               "\n";
  for (const auto& form : forms_) out += "\n" + form.text(width);
  bool first = true;
  for (const auto& s : symbols_) {
    if (s.kind == SymbolKind::coordinate || s.kind == SymbolKind::velocity) continue;
    if (std::exchange(first, false)) out += "\n";
    out += s.text() + " = " + symbolic::number_decimal(s.value, 12) + " " + s.unit + ": " + s.meaning + "\n";
  }
  return out;
}

}  // namespace lissom
