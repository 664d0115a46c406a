#pragma once

#include <stdbool.h>
#include <stdint.h>

// What became of a traced process.
typedef struct {
  // The system calls of all its threads since its mark, the one it was killed at included.
  int64_t calls;
  // Whether it was killed here; otherwise it ended by itself.
  bool was_killed;
  // As of waitpid.
  int status;
} tracer_outcome;

// Runs a program until its n-th system call after its mark, and kills it there with SIGKILL: the call is
// not made. The mark is the call kill(getpid(), 0); the calls before it are not counted. The calls are
// those of all threads in the order in which they happen; strace's `when` counts each name of a call in
// each thread by itself, so that most calls of a trace are never an n-th one.
//
// False where processes cannot be traced.
bool tracer_run(const char *const *arguments, int64_t n, tracer_outcome *outcome);
