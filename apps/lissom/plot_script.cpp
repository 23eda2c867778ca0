#include "plot_script.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "lissom/model/printable.h"

namespace {

// Colors after Okabe and Ito, which almost everybody can distinguish, also in gray; without the yellow, which is hard
// to see on white.
constexpr std::array colors{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
// The same, darker: desired values are seen on top of the actual ones.
constexpr std::array dark_colors{"#003a5c", "#6b2f00", "#004f3a", "#7a3a60", "#7a5400", "#1f6a96", "#555555"};
// Dashes are long enough to be seen in thin lines.
struct Dash {
  const char *pattern, *word;
};
constexpr std::array<Dash, 5> dashes{{{"solid", "solid"},
                                      {"(14,5)", "dashed"},
                                      {"(4,4)", "dotted"},
                                      {"(14,4,3,4)", "dash-dotted"},
                                      {"(26,5)", "long dashes"}}};

constexpr int left = 95, right = 25, top = 60, bottom = 55, panel_width = 900;
constexpr int letter = 7, sample = 62, row = 17;  // of the legend, in pixels
constexpr int max_legend_width = 620;
constexpr const char* desired_dash = "(10,6)";
constexpr const char* desired_label = "dashed: desired";
constexpr std::size_t max_regions = 200;
constexpr std::size_t max_filled = 3;  // outlines; the fillings of more would hide each other

bool has_desired(const PlotPanel& panel) {
  return std::ranges::any_of(panel.lines, &PlotLine::desired);
}

bool has_many_lines(const PlotPanel& panel) {
  return std::size_t(std::ranges::count(panel.lines, false, &PlotLine::desired)) > many_lines;
}

int panel_height(const PlotPanel& panel) {
  return has_many_lines(panel) ? 360 : 220;
}
// Distance to the next panel; the tick labels of a panel's own axis need space.
int gap_below(const PlotPanel& panel) {
  return panel.across ? 88 : 42;
}

// Counts characters, not bytes.
int length(const std::string& text) {
  return int(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

struct Legend {
  int rows = 0, columns = 0, width = 0;
  bool shown = true;
};
Legend legend_of(const PlotPanel& panel) {
  Legend legend;
  int longest = 0;
  int lines = 0;
  for (const auto& line : panel.lines)
    if (!line.desired) longest = std::max(longest, length(line.name)), ++lines;
  if (has_desired(panel)) longest = std::max(longest, length(desired_label)), ++lines;
  legend.rows = std::min(lines, panel_height(panel) / row);
  legend.columns = lines == 0 ? 0 : (lines + legend.rows - 1) / legend.rows;
  legend.width = legend.columns * (longest * letter + sample) + 10;
  legend.shown = legend.width <= max_legend_width;
  return legend;
}

int legend_width(const Plot& plot) {
  int width = 0;
  for (const auto& panel : plot.panels)
    if (const auto legend = legend_of(panel); legend.shown) width = std::max(width, legend.width);
  return width;
}

// A string expression of gnuplot. All texts of a script go through here, because some come from files and file names,
// and gnuplot runs commands: it ends a quoted string at the end of a line, and takes what follows as a command. So
// there are no control characters. Inside single quotes, only the quote itself is special; it stands in double quotes,
// alone.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : lissom::printable(text)) out += c == '\'' ? "'.\"'\".'" : std::string(1, c);
  return out + "'";
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(double x) {
    if (!drawable(x)) return;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  // Widens the range by a fraction of itself; it is never empty afterwards.
  void widen(double fraction) {
    if (low > high) low = high = 0;
    const double margin =
        std::max(fraction * (high - low), high - low > 1e-9 * std::abs(high) ? 0 : 0.05 * std::abs(high));
    low -= margin;
    high += margin;
    if (low == high) {
      low -= 1;
      high += 1;
    }
  }
};

// The vertical range of a panel's lines, with a margin.
Range values_of(const PlotPanel& panel) {
  Range values;
  for (const auto& line : panel.lines)
    for (const double x : line.values) values.take(x);
  values.widen(0.06);
  if (panel.across) values.low = 0;
  return values;
}

// Writes the points of a line, except those within a tenth of a pixel of the straight line between others. From the
// last point written, a wedge contains all directions that pass the later points that closely; a point outside of it
// ends the straight segment at the point before.
class Pen {
 public:
  Pen(double pixels_across, double pixels_up) : across_(pixels_across), up_(pixels_up) {}

  void to(double time, double value) {
    if (!drawable(value)) {
      write_waiting();
      out_ += fmt::format("{:.9g} NaN\n", time);
      begun_ = false;
      return;
    }
    if (begun_) {
      const double x = across_ * (time - x0_), y = up_ * (value - y0_);
      if (waits_ && (x <= 0 || y / x < low_ || y / x > high_)) write_waiting();
    }
    if (!begun_) return write(time, value);
    const double x = across_ * (time - x0_), y = up_ * (value - y0_);
    if (x <= 0) return write(time, value);
    low_ = std::max(low_, (y - near_) / x);
    high_ = std::min(high_, (y + near_) / x);
    waits_ = true, x_ = time, y_ = value;
  }
  std::string finish() {
    write_waiting();
    return std::move(out_);
  }

 private:
  void write(double time, double value) {
    out_ += fmt::format("{:.9g} {:.9g}\n", time, value);
    x0_ = time, y0_ = value, begun_ = true, waits_ = false;
    low_ = -std::numeric_limits<double>::infinity(), high_ = -low_;
  }
  void write_waiting() {
    if (waits_) write(x_, y_);
  }

  static constexpr double near_ = 0.1;
  double across_, up_;  // pixels per unit
  std::string out_;
  bool begun_ = false, waits_ = false;
  double x0_ = 0, y0_ = 0, x_ = 0, y_ = 0;  // the point written last; the point that waits
  double low_ = 0, high_ = 0;               // slopes of the wedge
};

// If there are more points than pixels, only the smallest and the largest value of each time interval are drawn, so
// that no peak is lost.
std::string points_of(const PlotLine& line, Pen pen) {
  constexpr std::size_t intervals = 2 * panel_width;
  const std::size_t n = line.values.size();
  if (n <= 2 * intervals) {
    for (std::size_t k = 0; k < n; ++k) pen.to(line.times[k], line.values[k]);
    return pen.finish();
  }
  for (std::size_t s = 0; s < intervals; ++s) {
    const std::size_t first = s * n / intervals, last = (s + 1) * n / intervals;
    std::size_t low = first, high = first;
    for (std::size_t k = first; k < last; ++k) {
      const double x = line.values[k];
      if (!drawable(x)) continue;
      if (!drawable(line.values[low]) || x < line.values[low]) low = k;
      if (!drawable(line.values[high]) || x > line.values[high]) high = k;
    }
    for (const auto k : {std::min(low, high), std::max(low, high)}) pen.to(line.times[k], line.values[k]);
  }
  return pen.finish();
}

// The vertical axis: what is drawn, and its unit.
std::string axis_label(const PlotPanel& panel) {
  if (panel.across) return "[" + panel.unit + "]";
  struct Quantity {
    const char *signal, *unit, *name;
  };
  static constexpr Quantity known[] = {{"q", "rad", "angle"},    {"q", "m", "position"},
                                       {"q", "1", "quaternion"}, {"v", "rad/s", "angular velocity"},
                                       {"v", "m/s", "velocity"}, {"tau", "N·m", "torque"},
                                       {"tau", "N", "force"},    {"torque_use", "of the limit", "torque"},
                                       {"com", "m", "position"}, {"frames", "m", "position"},
                                       {"forces", "N", "force"}, {"pushes", "N", "force"}};
  std::string name = panel.signal;
  for (const auto& one : known)
    if (panel.signal == one.signal && panel.unit == one.unit) name = one.name;
  std::ranges::replace(name, '_', ' ');
  if (panel.unit == "of the limit") return name + " / limit";
  return panel.unit.empty() ? name : name + " [" + panel.unit + "]";
}

// Shades the regions behind a panel; the first panel has their names, where they fit.
std::string shade_regions(const Plot& plot, const PlotPanel& panel, bool first, const Range& time) {
  std::string out = "unset object\n";
  if (panel.across || plot.regions.size() > max_regions) return out;
  const double pixels = panel_width / (time.high - time.low);
  std::size_t stage = 0;
  for (const auto& region : plot.regions) {
    const bool push = region.kind == PlotRegion::Kind::push;
    // Every other stage is shaded.
    if (push || stage % 2 == 0)
      out +=
          fmt::format("set object rect from {:.9g}, graph 0 to {:.9g}, graph 1 behind fc rgb '{}' fs solid noborder\n",
                      region.begin, region.end, push ? "#f7cdb8" : "#f1f3f6");
    stage += push ? 0 : 1;
    const double space = (region.end - region.begin) * pixels;
    if (first && (push || space > 5.5 * length(region.name)))
      out += fmt::format("set label {} at {:.9g}, graph {} {} font ',8' textcolor rgb '{}' noenhanced front\n",
                         quoted(region.name), (region.begin + region.end) / 2, push ? 0.88 : 0.96, "center",
                         push ? "#a03000" : "#555555");
  }
  return out;
}

// Vertical position of a panel, from the top, in pixels.
struct PanelPosition {
  int top = 0, height = 0;
};

std::string frame_of(const Plot& plot, std::size_t index, const PanelPosition& position, const PlotSize& size) {
  const auto& panel = plot.panels[index];
  auto values = values_of(panel);
  if (index == 0 && !plot.regions.empty() && !panel.across)  // space for the names of the regions
    values.high += 0.16 * (values.high - values.low);
  const auto across = [&](int x) { return double(x) / size.width; };
  const auto up = [&](int y) { return 1 - double(y) / size.height; };
  std::string out;
  out += fmt::format("set lmargin at screen {}\nset rmargin at screen {}\n", across(left), across(left + panel_width));
  out += fmt::format("set tmargin at screen {}\nset bmargin at screen {}\n", up(position.top),
                     up(position.top + position.height));
  out += fmt::format("set yrange [{:.12g}:{:.12g}]\n", values.low, values.high);
  const auto legend = legend_of(panel);
  const auto label = axis_label(panel);
  const auto note = fmt::format(" ({} lines, too many for a legend; select some with --columns)", panel.lines.size());
  out += fmt::format("set title {} noenhanced offset 0,-0.6 font ',11'\n",
                     quoted(panel.title + (legend.shown ? "" : note)));
  out += fmt::format("set ylabel {} noenhanced offset -0.5,0\n", quoted(label));
  const bool last = index + 1 == plot.panels.size();
  if (panel.across)
    out += fmt::format("set xrange [{:.12g}:{:.12g}]\nset xlabel {} noenhanced\n", panel.across->low,
                       panel.across->high, quoted(panel.across->label));
  else
    out += last ? "set xlabel 'time [s]'\nset format x\n" : "unset xlabel\nset format x ''\n";
  if (!legend.shown) return out + "unset key\n";
  out += fmt::format("set key at screen {},{} left top vertical maxrows {} Left reverse\n",
                     across(left + panel_width + 8), up(position.top - 4), std::max(legend.rows, 1));
  return out;
}

std::string lines_of(const PlotPanel& panel, std::size_t first_block) {
  std::string out = "plot ";
  const double width = has_many_lines(panel) ? 1.2 : 1.8;
  for (std::size_t i = 0; i < panel.lines.size(); ++i) {
    const auto& line = panel.lines[i];
    const bool single = line.values.size() == 1;
    const auto* const dash = line.desired ? desired_dash : dashes[line.dash % dashes.size()].pattern;
    const auto* const color =
        line.desired ? dark_colors[line.color % colors.size()] : colors[line.color % colors.size()];
    const bool any = std::ranges::any_of(line.values, drawable);
    if (any && panel.across && panel.lines.size() <= max_filled)
      out +=
          fmt::format("$line{} using 1:2 with filledcurves y=0 fs transparent solid 0.2 noborder lc rgb '{}' notitle, ",
                      first_block + i, colors[line.color % colors.size()]);
    out += any ? fmt::format("$line{} using 1:2", first_block + i) : std::string("NaN");
    out += single ? fmt::format(" with points pt 7 ps 0.8 lc rgb '{}'", color)
                  : fmt::format(" with lines lw {} dt {} lc rgb '{}'", line.desired ? 1.2 : width, dash, color);
    out += line.desired ? " notitle" : fmt::format(" title {} noenhanced", quoted(line.name));
    if (i + 1 < panel.lines.size()) out += ", \\\n     ";
  }
  if (has_desired(panel))
    out +=
        fmt::format(", \\\n     NaN with lines lw 1.2 dt {} lc rgb '#333333' title '{}'", desired_dash, desired_label);
  return out + "\n";
}

std::string terminal_of(PlotFormat format, const PlotSize& size) {
  const auto* const rest = "noenhanced font 'DejaVu Sans,10' background '#ffffff'";
  std::string out = "set encoding utf8\nset terminal ";
  if (format == PlotFormat::pdf)  // in inches; other terminals have 96 pixels in one
    return out + fmt::format("pdfcairo size {:.4f}in,{:.4f}in {}\n", size.width / 96., size.height / 96., rest);
  // (In SVG a point is a pixel, and text would be small.)
  return out + fmt::format("{} size {},{} {}\n", format == PlotFormat::svg ? "svg fontscale 1.25" : "pngcairo",
                           size.width, size.height, rest);
}

}  // namespace

bool drawable(double x) {
  return std::abs(x) < 1e300;
}
double without_denormals(double x) {
  return std::abs(x) < 1e-290 ? 0 : x;
}
std::size_t color_count() {
  return colors.size();
}
std::string dash_in_words(std::size_t dash) {
  return dashes[dash % dashes.size()].word;
}

PlotSize size_of(const Plot& plot) {
  PlotSize size{left + panel_width + std::max(right, legend_width(plot)), top + bottom};
  for (const auto& panel : plot.panels)
    size.height += panel_height(panel) + (&panel != &plot.panels.back() ? gap_below(panel) : 0);
  return size;
}

std::string script_of(const Plot& plot) {
  const auto size = size_of(plot);
  Range time;
  for (const auto& panel : plot.panels)
    for (const auto& line : panel.lines)
      for (const double t : line.times) time.take(t);
  if (time.low > 0 && time.low < 0.02 * time.high) time.low = 0;  // recordings that begin after a first step
  time.widen(0);

  std::string out = terminal_of(plot.format, size);
  out += "set output 'picture'\n";
  std::size_t block = 0;
  for (const auto& panel : plot.panels) {
    const auto values = values_of(panel);
    const double width = panel.across ? panel.across->high - panel.across->low : time.high - time.low;
    const Pen pen(panel_width / width, panel_height(panel) / (values.high - values.low));
    for (const auto& line : panel.lines) out += fmt::format("$line{} << END\n{}END\n", block++, points_of(line, pen));
  }
  out += fmt::format("set xrange [{:.12g}:{:.12g}]\n", time.low, time.high);
  out +=
      "set grid lc rgb '#dddddd' lt 1 lw 0.7\nset border 3 lc rgb '#555555'\nset tics nomirror textcolor rgb "
      "'#222222'\n";
  out += "set key samplen 3.5 spacing 1.05 font ',9' noenhanced\n";
  out += fmt::format("set multiplot\nset label 99 {} at screen {},{} left noenhanced font ',12'\n", quoted(plot.title),
                     double(left) / size.width, 1 - 18.0 / size.height);
  PanelPosition position{top, 0};
  block = 0;
  for (std::size_t i = 0; i < plot.panels.size(); ++i) {
    position.height = panel_height(plot.panels[i]);
    out += frame_of(plot, i, position, size);
    if (i == 1) out += "unset label\n";  // the title of the picture is drawn with the first panel
    out += shade_regions(plot, plot.panels[i], i == 0, time);
    out += lines_of(plot.panels[i], block);
    block += plot.panels[i].lines.size();
    position.top += position.height + gap_below(plot.panels[i]);
  }
  return out + "unset multiplot\nset output\n";
}
