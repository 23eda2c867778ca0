#pragma once
// Expands xacro into a document that the readers of robots take. Not installed.
#include <string>
#include <string_view>

#include "lissom/io/read.h"
#include "lissom/io/xml_text.h"

namespace lissom::io::xacro {

// The elements of the document have the lines where they were written. `result` gets the diagnostics and sources;
// without an error in them, `xml` has a root.
void expand_document(std::string_view text, const std::string& file_name, const ReadOptions& options, XmlText& xml,
                     ReadResult& result);

}  // namespace lissom::io::xacro
