#pragma once
// The viewer: robots and runs on a page in the browser, or in one file (docs/viewer.md). Link with lissom::view.
#include "lissom/view/answers.h"
#include "lissom/view/page.h"
#include "lissom/view/scene.h"
#include "lissom/view/server.h"
