#pragma once

#include <stdbool.h>
#include <stdint.h>

// Makes SQLite's memory allocations or file operations fail at a chosen call. The faults apply to
// the whole process, so use them in a child process. Each of the two must be installed before
// SQLite is used, and has no effect until a fault is armed.

// Installs faults between SQLite and the allocator; false when SQLite is already in use.
bool holdfast_put_faults_in_memory(void);

// Installs faults between SQLite and the file system; false when SQLite refuses.
bool holdfast_put_faults_in_files(void);

// Makes the call with this number fail, counted from 1 from now on, and all later ones if it lasts.
void holdfast_arm_fault(int64_t call, bool lasts);

// A moment in a checkpoint of the process.
typedef enum {
  // Before it takes its lock.
  HOLDFAST_BEFORE_CHECKPOINT,
  // After it has read a header of the wal-index that another connection has changed.
  HOLDFAST_IN_CHECKPOINT,
} holdfast_moment;

// Calls a function when the moment is next reached with faults in the files, once.
void holdfast_await(holdfast_moment moment, void (*function)(void *context), void *context);

// Runs SQL on a connection of its own, as a program without Holdfast would; returns SQLite's code.
int holdfast_run_plainly(const char *path, const char *sql);

// Loads a library for as long as the process lives.
bool holdfast_load_library(const char *path);

// Disarms the faults; returns the number of failed calls.
int64_t holdfast_disarm_fault(void);
