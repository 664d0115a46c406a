#pragma once

#include <stdbool.h>
#include <stdint.h>

// Makes SQLite's memory or files fail at a chosen call. It is for the whole process, and so for a
// process of its own; each of the two is put in before SQLite is used, and does nothing until a
// fault is armed.

// Puts the faults between SQLite and the system's memory; false when SQLite is in use already.
bool holdfast_put_faults_in_memory(void);

// Puts the faults between SQLite and the system's files; false when SQLite refuses.
bool holdfast_put_faults_in_files(void);

// Has the call of that number fail, counted from 1 from now on, and all that follow if it lasts.
void holdfast_arm_fault(int64_t call, bool lasts);

// Ends the faults; returns how many calls have failed.
int64_t holdfast_disarm_fault(void);
