#pragma once

#include <stdbool.h>

// Counts a call, and tells whether it is one that fails.
bool holdfast_fault_strikes(void);
