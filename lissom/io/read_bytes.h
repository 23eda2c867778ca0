#pragma once
// The content of files is read by files/read_bytes.h; its names are also known here. Not installed.
#include "lissom/files/read_bytes.h"

namespace lissom::io {

using lissom::Descriptor;
using lissom::open_for_reading;
using lissom::read_bytes;
using lissom::ReadProblem;

}  // namespace lissom::io
