#pragma once

#include <stdbool.h>
#include <stdint.h>

// What is done to a traced process.
typedef struct {
  // The call since its mark at which it is killed with SIGKILL: the call is not made. INT64_MAX for never.
  int64_t killed_at;
  // The call that needs space in the folder, since its mark, from which on the disk is full: this one and
  // all later ones fail with ENOSPC. INT64_MAX for never.
  int64_t full_at;
  // The folder in which calls need space, and are followed for `durable`; NULL for none.
  const char *folder;
  // A folder that receives what a loss of power leaves for sure: whenever the process has synced a file or
  // a folder, `<inode>` gets the file's content, or for each entry of the folder a line of its inode, its
  // type as of readdir, its name, a tab, and the text of a symbolic link. NULL for none.
  const char *durable;
} tracer_plan;

// What became of a traced process.
typedef struct {
  // The system calls of all its threads since its mark, the one it was killed at included.
  int64_t calls;
  // The calls that needed space in the folder, since its mark.
  int64_t writes;
  // Whether it was killed here; otherwise it ended by itself.
  bool was_killed;
  // As of waitpid.
  int status;
} tracer_outcome;

// Runs a program as planned. The mark is the call kill(getpid(), 0); the calls before it are not counted.
// The calls are those of all threads in the order in which they happen; strace's `when` counts each name of
// a call in each thread by itself, so that most calls of a trace are never an n-th one.
//
// False where processes cannot be traced, or their calls cannot be made to fail as planned.
bool tracer_run(
    const char *const *arguments, const tracer_plan *plan, tracer_outcome *outcome);
