#pragma once
// Numbers in lines, under a line of column names. Not installed.
#include <string>
#include <string_view>
#include <vector>

#include "lissom/model/limits.h"

namespace lissom::benchmarks {

struct CsvTable {
  std::vector<std::string> names;           ///< the first field of each line, which is a name
  std::vector<std::vector<double>> values;  ///< of the columns that were asked for, in their order
  std::vector<std::size_t> lines;           ///< in the file, from 1
};

/// Reads the column `name`, as text, and the others as finite numbers. Throws an Error that begins with the file and
/// the line.
CsvTable read_table(const std::string& file, std::string_view text, std::string_view name,
                    const std::vector<std::string_view>& columns);

/// Throws the Error that says `what` is wrong in this line of the file.
[[noreturn]] void fail_at(const std::string& file, std::size_t line, const std::string& what);

/// The bytes of a file. Throws an Error if it cannot be read, or has more bytes.
std::string read_plain(const std::string& file, std::size_t max_bytes = limits::table_bytes);
/// The content of a gzip file, whose name is for messages. Throws an Error if it is none, or has more bytes.
std::string unpacked(const std::string& file, std::string_view bytes, std::size_t max_bytes = limits::table_bytes);

}  // namespace lissom::benchmarks
