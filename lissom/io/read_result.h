#pragma once
// What every reader does at its end: collects its findings, and those of validate(). Not installed.
#include "lissom/io/read.h"
#include "lissom/io/xml_element.h"

namespace lissom::io {

// Adds the findings of a reader; lines of the description become files and lines.
void add_findings(Report& report, ReadResult& result);
// Adds the findings of validate() about the description, without consequences of errors that the reader found.
void validate_into(ReadResult& result, const ReadOptions& options);

}  // namespace lissom::io
