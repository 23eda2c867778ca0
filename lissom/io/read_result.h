#pragma once
// What every reader does: at its beginning it reads a file, at its end it collects its findings, and those of
// validate(). Not installed.
#include "lissom/io/read.h"
#include "lissom/io/xml_element.h"

namespace lissom::io {

// Reads the text of a file with one of the readers of texts.
using TextReader = ReadResult(std::string_view text, const std::string& file_name, const ReadOptions& options);
ReadResult read_path(const std::string& path, const ReadOptions& options, TextReader* read);

// Adds the findings of a reader; lines of the description become files and lines.
void add_findings(Report& report, ReadResult& result);
// Adds the findings of validate() about the description, without consequences of errors that the reader found.
void validate_into(ReadResult& result, const ReadOptions& options);

}  // namespace lissom::io
