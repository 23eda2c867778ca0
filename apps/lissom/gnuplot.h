#pragma once
// Runs gnuplot, which draws for us.
#include <string>

// Hands it a script that draws to the file "picture" in its working directory, and moves that to `out`. Error where
// there is no gnuplot, it fails, or `out` cannot be written.
void run_gnuplot(const std::string& script, const std::string& out);
