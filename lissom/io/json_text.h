#pragma once
// JSON is parsed by files/json_text.h. Not installed.
#include "lissom/files/json_text.h"
