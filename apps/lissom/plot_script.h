#pragma once
// Writes gnuplot scripts: panels above each other that share a time axis, or have their own horizontal axes.
#include <optional>
#include <string>
#include <vector>

struct PlotLine {
  std::string name;  // in the legend
  std::size_t color = 0, dash = 0;
  bool desired = false;  // dashed, over the actual values, and not in the legend
  std::vector<double> times, values;
};
struct PlotAxis {
  std::string label;
  double low = 0, high = 1;
};
struct PlotPanel {
  std::string signal, title, unit;
  std::vector<PlotLine> lines;
  // The horizontal axis, if it is not time; lines are then outlines above 0, and filled if they are few.
  std::optional<PlotAxis> across = {};
};
// An interval of time that is shaded in all panels; its name is written into the first one.
struct PlotRegion {
  enum class Kind { stage, push } kind = Kind::stage;
  double begin = 0, end = 0;
  std::string name;
};
enum class PlotFormat { png, svg, pdf };
struct Plot {
  std::string title;
  std::vector<PlotPanel> panels;
  std::vector<PlotRegion> regions = {};
  PlotFormat format = PlotFormat::png;
};

struct PlotSize {
  int width = 0, height = 0;
};
// Size of the picture in pixels.
PlotSize size_of(const Plot& plot);
// Returns a script that draws to the file "picture".
std::string script_of(const Plot& plot);

// A panel with more lines than this is taller, and its lines are thinner.
inline constexpr std::size_t many_lines = 12;

// Whether gnuplot can draw the value: it is finite, and gnuplot's own arithmetic does not overflow.
bool drawable(double x);
// The value, or 0 if it is so small that widths and ranges made of it would vanish.
double without_denormals(double x);

// The number of different colors, after which they repeat; and a dash pattern in words.
std::size_t color_count();
std::string dash_in_words(std::size_t dash);
