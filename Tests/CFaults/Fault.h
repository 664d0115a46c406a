#pragma once

#include <stdbool.h>

// Counts a call and returns whether it must fail.
bool holdfast_fault_strikes(void);
