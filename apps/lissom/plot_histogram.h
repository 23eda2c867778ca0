#pragma once
// From curves over time to how often their numbers occur: a panel of distributions.
#include "plot_script.h"

// Of one line. Quantiles are numbers that occur: the k-th of n in order, with k = part · (n - 1) rounded down.
struct Distribution {
  std::string name;  // of the line
  std::size_t count = 0, not_finite = 0;
  double median = 0, p99 = 0, smallest = 0, largest = 0;
  std::size_t below = 0, above = 0;  // beyond the picture
};

// Turns the lines of a panel into the shares (%) of bins that all of them have in common, with median and p99 in their
// names. A tail beyond the quantiles of 0.1 % and 99.9 %, or three times as far from the median as those of 1 % and 99
// %, is cut off where it would widen the picture by more than a twentieth; the title says how many numbers lie there.
// Lines without a finite number keep their name and are empty.
std::vector<Distribution> make_histogram(PlotPanel& panel);
