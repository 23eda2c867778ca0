#pragma once
// Turns a panel of curves over time into a panel of histograms.
#include "plot_script.h"

// The distribution of one line's values. Quantiles are values that occur: the k-th of n in order, with
// k = fraction · (n - 1) rounded down.
struct Distribution {
  std::string name;  // of the line
  std::size_t count = 0, not_finite = 0;
  double median = 0, p99 = 0, smallest = 0, largest = 0;
  std::size_t below = 0, above = 0;  // number of values outside the plot
};

// Replaces the lines of a panel by their histograms (%), over common bins, with median and p99 in their names. A tail
// beyond the quantiles of 0.1 % and 99.9 %, or three times as far from the median as those of 1 % and 99 %, is cut off
// if it would widen the plot by more than 5 %; the title says how many values lie there. Lines without a finite value
// keep their name and are empty.
std::vector<Distribution> make_histogram(PlotPanel& panel);
