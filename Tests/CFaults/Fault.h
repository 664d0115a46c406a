#pragma once

#include <stdbool.h>

#include "CFaults.h"

// Counts a call and returns whether it must fail.
bool holdfast_fault_strikes(void);

// Calls the closure of a moment, if one waits for it.
void holdfast_reach(holdfast_moment moment);
