#pragma once
// Reads a robot from a URDF document that is parsed already. Not installed.
#include "lissom/io/read.h"
#include "lissom/io/xml_text.h"

namespace lissom::io {

// The document may be put together from several files. The result has what was found before, the name of the file and
// the sources.
ReadResult read_urdf_document(const XmlText& xml, ReadResult result, const ReadOptions& options);

}  // namespace lissom::io
