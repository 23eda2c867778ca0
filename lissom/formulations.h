#pragma once
// The classical formulations of the equations of motion, which verify each other and the fast algorithms; charts of
// SO(3) (docs/formulations.md).
#include "lissom/coordinates/charts.h"
#include "lissom/formulations/blocks.h"
#include "lissom/formulations/charted.h"
#include "lissom/formulations/com_frames.h"
#include "lissom/formulations/conventions.h"
#include "lissom/formulations/conversions.h"
#include "lissom/formulations/gauss.h"
#include "lissom/formulations/lagrange.h"
#include "lissom/formulations/link_frames.h"
#include "lissom/formulations/maximal.h"
#include "lissom/formulations/mechanism.h"
#include "lissom/formulations/mirtich.h"
#include "lissom/formulations/reroot.h"
#include "lissom/formulations/verify.h"
