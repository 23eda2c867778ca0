#pragma once
// The panels of a plot: which lines of which recordings are drawn together.
#include <string>
#include <vector>

#include "lissom/recording/recording.h"
#include "plot_script.h"

struct PanelOptions {
  std::vector<std::string> signals, columns;  // as the command line has them; empty: all
  bool histogram = false;
};

struct Panels {
  std::vector<PlotPanel> panels;
  std::vector<std::string> lists;  // signals that were left out, because they are lists
  std::vector<std::string> zero;   // signals that were left out, because they are zero all the time
};

// Makes a panel for each unit of each signal. Over time, panels of many lines are split by limbs (plot_limbs.h);
// desired values, of the signal desired_X or of columns desired.NAME, are in the panels of the actual ones; and
// elements of a floating base that are always zero (it has no motors) are left out, if they are not asked for. Throws
// Error if there is no such signal or column.
Panels panels_of(const PanelOptions& options, const std::vector<lissom::recording::Recording>& recordings,
                 const std::vector<std::string>& labels);

// The intervals in which a recording's robot is pushed, and the stages of its motion.
std::vector<PlotRegion> regions_of(const lissom::recording::Recording& recording);
