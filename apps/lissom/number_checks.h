#pragma once
// Checks of numbers and words on the command line, with messages in plain words: "--seconds: '-1': expected a number of
// at least 0". None of them accepts NaN or infinite numbers.
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace number_check {

CLI::Validator finite();
CLI::Validator positive();
CLI::Validator non_negative();
CLI::Validator between(double low, double high);
// Whole numbers from `low` to `high`.
CLI::Validator whole(long long low, long long high);
// Seeds: whole numbers of 64 bits that are not negative.
CLI::Validator seed();

}  // namespace number_check

// The option takes one of these words; help and shell completion show them.
void take_one_of(CLI::Option* option, const std::vector<std::string>& words);
