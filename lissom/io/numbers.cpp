#include "lissom/io/numbers.h"

#include <charconv>
#include <cmath>

#include "lissom/model/printable.h"
#include "lissom/model/text.h"

namespace lissom::io {
namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";

bool has_letter_x(std::string_view token) {
  return token.find_first_of("xX") != std::string_view::npos;
}

NumberProblem not_a_number(std::string_view token) {
  NumberProblem problem{"number", in_quotes(token) + " is not a number",
                        "write a decimal number, such as 1.5 or -2e-3"};
  const std::size_t comma = token.find(',');
  const bool list = comma != std::string_view::npos &&
                    (comma + 1 == token.size() || token.find(',', comma + 1) != std::string_view::npos);
  if (list)
    problem.remedy = "separate numbers by blanks, not by commas";
  else if (comma != std::string_view::npos)
    problem.remedy = "write a decimal point, not a comma: " + printable(shortened(token.substr(0, comma), 20)) + "." +
                     printable(shortened(token.substr(comma + 1), 20));
  else if (has_letter_x(token))
    problem.remedy = "write it as a decimal number; hexadecimal numbers are not read";
  return problem;
}

// from_chars reports "out of range" for overflow and underflow; a number that underflows is taken as zero.
bool underflows(std::string_view token) {
  const std::size_t exponent = token.find_first_of("eE");
  if (exponent != std::string_view::npos) return exponent + 1 < token.size() && token[exponent + 1] == '-';
  const std::size_t digit = token.find_first_not_of("+-");
  return digit != std::string_view::npos && (token[digit] == '0' || token[digit] == '.');
}

std::optional<NumberProblem> parse_number(std::string_view token, double& number, Infinity infinity) {
  const char* first = token.data();
  const char* last = first + token.size();
  if (*first == '+' && token.size() > 1 && token[1] != '-' && token[1] != '+')
    ++first;  // from_chars does not accept a leading plus
  const auto [end, error] = std::from_chars(first, last, number);
  if (error == std::errc::invalid_argument || end != last) return not_a_number(token);
  if (error == std::errc::result_out_of_range) {
    if (!underflows(token))
      return NumberProblem{"number", in_quotes(token) + " is too large", "write a number below 1e308"};
    number = 0;
  }
  if (std::isnan(number) || (std::isinf(number) && infinity == Infinity::refuse))
    return NumberProblem{"number-not-finite", in_quotes(token) + " is not a finite number", "write a finite number"};
  return std::nullopt;
}

template <class Use>
std::optional<NumberProblem> for_each_number(std::string_view text, Infinity infinity, const Use& use) {
  for (std::size_t begin = text.find_first_not_of(blanks); begin != std::string_view::npos;
       begin = text.find_first_not_of(blanks, begin)) {
    const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    double number = 0;
    if (auto problem = parse_number(text.substr(begin, end - begin), number, infinity)) return problem;
    use(number);
    begin = end;
  }
  return std::nullopt;
}

}  // namespace

std::optional<NumberProblem> parse_numbers(std::string_view text, NumberList& numbers, Infinity infinity) {
  numbers.count = 0;
  return for_each_number(text, infinity, [&](double number) {
    if (numbers.count < NumberList::max_count) numbers.value[numbers.count] = number;
    ++numbers.count;
  });
}

std::optional<NumberProblem> parse_numbers(std::string_view text, std::vector<double>& numbers, Infinity infinity) {
  numbers.clear();
  return for_each_number(text, infinity, [&](double number) { numbers.push_back(number); });
}

std::optional<NumberProblem> parse_numbers(std::string_view text, std::size_t count, NumberList& numbers,
                                           Infinity infinity) {
  if (auto problem = parse_numbers(text, numbers, infinity)) return problem;
  if (numbers.count == count) return std::nullopt;
  const std::string expected = counted(count, "number");
  return NumberProblem{"number-count", "it has " + counted(numbers.count, "number"),
                       "write " + expected + (count > 1 ? " separated by blanks" : "")};
}

}  // namespace lissom::io
