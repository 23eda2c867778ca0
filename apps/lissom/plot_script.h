#pragma once
// From numbers to a script for gnuplot: panels above each other that share the axis of time, or have axes of their own.
#include <optional>
#include <string>
#include <vector>

struct PlotLine {
  std::string name;  // in the legend
  std::size_t color = 0, dash = 0;
  std::vector<double> times, values;
};
struct PlotAxis {
  std::string label;
  double low = 0, high = 1;
};
struct PlotPanel {
  std::string title, unit;
  std::vector<PlotLine> lines;
  // In place of time; lines are then outlines over 0, filled where they are few.
  std::optional<PlotAxis> across = {};
};
struct Plot {
  std::string title;
  std::vector<PlotPanel> panels;
  bool svg = false;
};

struct PlotSize {
  int width = 0, height = 0;
};
// What the picture will measure, in pixels.
PlotSize size_of(const Plot& plot);
// Draws to the file "picture".
std::string script_of(const Plot& plot);

// How many lines a panel may have before they are drawn thin, and its legend in small type.
inline constexpr std::size_t many_lines = 12;

// Whether gnuplot can draw it: beyond, its own arithmetic overflows.
bool drawable(double x);

// Different colors, after which they begin again; and what a dash looks like.
std::size_t color_count();
std::string dash_in_words(std::size_t dash);
