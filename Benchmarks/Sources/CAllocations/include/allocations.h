#pragma once

#include <stdbool.h>
#include <stdint.h>

// Counts what the whole process asks of the heap, by standing in front of malloc and its kin.

// Whether this platform lets a program stand there: glibc does.
bool allocations_can_be_counted(void);

// Begins a count from 0.
void allocations_begin(void);

// Ends the count; blocks asked for since it began, those moved by realloc included.
uint64_t allocations_end(void);
