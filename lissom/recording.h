#pragma once
// Recordings of motions: writing, reading, comparing (docs/recordings.md).
#include "lissom/recording/compare.h"
#include "lissom/recording/header.h"
#include "lissom/recording/read.h"
#include "lissom/recording/recorder.h"
#include "lissom/recording/size.h"
