#include "tracer.h"

#ifdef __linux__

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_traced(const char *const *arguments) {
  int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  raise(SIGSTOP);
  execv(arguments[0], (char *const *)arguments);
  _exit(127);
}

// Counts a stop of a thread at a call, if the call begins there and the mark has been seen.
static void count(pid_t thread, bool *is_marked, int64_t *calls) {
  struct __ptrace_syscall_info info;
  if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, (void *)sizeof info, &info) <= 0) return;
  if (info.op != PTRACE_SYSCALL_INFO_ENTRY) return;
  if (*is_marked) {
    ++*calls;
  } else if (info.entry.nr == SYS_kill && info.entry.args[1] == 0) {
    *is_marked = true;
  }
}

bool tracer_run(const char *const *arguments, int64_t n, tracer_outcome *outcome) {
  *outcome = (tracer_outcome){0, false, 0};
  pid_t process = fork();
  if (process < 0) return false;
  if (process == 0) run_traced(arguments);
  int status;
  if (waitpid(process, &status, 0) != process || !WIFSTOPPED(status)) return false;
  long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                 PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SETOPTIONS, process, NULL, (void *)options) != 0) {
    kill(process, SIGKILL);
    waitpid(process, &status, 0);
    return false;
  }
  ptrace(PTRACE_SYSCALL, process, NULL, NULL);
  bool is_marked = false;
  while (true) {
    // Other children of this process are none of this thread.
    pid_t thread = waitpid(-1, &status, __WALL | __WNOTHREAD);
    if (thread < 0 && errno == EINTR) continue;
    if (thread < 0) return true;
    if (!WIFSTOPPED(status)) {
      if (thread == process) outcome->status = status;
      continue;
    }
    int signal = WSTOPSIG(status);
    if (signal == (SIGTRAP | 0x80)) {
      if (!outcome->was_killed) count(thread, &is_marked, &outcome->calls);
      if (!outcome->was_killed && outcome->calls == n) {
        outcome->was_killed = true;
        kill(process, SIGKILL);
      }
      signal = 0;
    } else if (signal == SIGTRAP || signal == SIGSTOP) {
      // An event of the trace, or the first stop of a new thread.
      signal = 0;
    }
    ptrace(PTRACE_SYSCALL, thread, NULL, (void *)(intptr_t)signal);
  }
}

#else

bool tracer_run(const char *const *arguments, int64_t n, tracer_outcome *outcome) {
  return false;
}

#endif
