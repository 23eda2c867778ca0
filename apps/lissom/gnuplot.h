#pragma once
// Draws plots by running gnuplot.
#include <string>

// Runs gnuplot on a script that draws to the file "picture" in its working directory, and puts the picture in the
// place of `out`.
// Throws Error if gnuplot is not installed, if it fails, or if `out` cannot be written.
void run_gnuplot(const std::string& script, const std::string& out);
