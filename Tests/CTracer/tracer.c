#define _GNU_SOURCE
#include "tracer.h"

#ifdef __linux__

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

// A thread between the beginning and the end of a call.
typedef struct {
  pid_t thread;
  uint64_t number;
  int descriptor;
  bool fails;
} call;

enum { thread_limit = 256 };

typedef struct {
  const tracer_plan *plan;
  tracer_outcome *outcome;
  pid_t process;
  bool is_marked;
  bool is_broken;
  call calls[thread_limit];
} trace;

static void run_traced(const char *const *arguments) {
  int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  raise(SIGSTOP);
  execv(arguments[0], (char *const *)arguments);
  _exit(127);
}

static call *call_of(trace *trace, pid_t thread) {
  call *unused = NULL;
  for (int index = 0; index < thread_limit; index++) {
    if (trace->calls[index].thread == thread) return &trace->calls[index];
    if (trace->calls[index].thread == 0 && !unused) unused = &trace->calls[index];
  }
  if (unused) *unused = (call){.thread = thread};
  return unused;
}

// MARK: - A full disk

// Whether a descriptor of the process is in the folder.
static bool is_inside(const trace *trace, int descriptor) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/%d/fd/%d", trace->process, descriptor);
  ssize_t length = readlink(link, path, sizeof path);
  size_t prefix = strlen(trace->plan->folder);
  return length >= (ssize_t)prefix && memcmp(path, trace->plan->folder, prefix) == 0;
}

// Whether a call may need space in the folder: it writes into a file, or adds an entry.
static bool needs_space(const trace *trace, uint64_t number, const uint64_t *arguments) {
  switch (number) {
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_fallocate: return is_inside(trace, (int)arguments[0]);
    // To empty a file takes no space.
    case SYS_ftruncate: return arguments[1] > 0 && is_inside(trace, (int)arguments[0]);
    case SYS_ioctl: return arguments[1] == FICLONE && is_inside(trace, (int)arguments[0]);
    case SYS_copy_file_range: return is_inside(trace, (int)arguments[2]);
    case SYS_sendfile: return is_inside(trace, (int)arguments[0]);
    case SYS_openat: return (arguments[2] & O_CREAT) != 0;
    case SYS_renameat2:
    case SYS_mkdirat:
    case SYS_symlinkat:
    case SYS_linkat: return true;
#ifdef SYS_open
    case SYS_open: return (arguments[1] & O_CREAT) != 0;
    case SYS_rename:
    case SYS_renameat:
    case SYS_mkdir:
    case SYS_symlink:
    case SYS_link: return true;
#endif
    default: return false;
  }
}

// Replaces the call that begins by one that does not exist.
static bool skip(pid_t thread) {
#if defined(__x86_64__)
  return ptrace(PTRACE_POKEUSER, thread, offsetof(struct user_regs_struct, orig_rax), -1L) == 0;
#elif defined(__aarch64__)
  int number = -1;
  struct iovec part = {&number, sizeof number};
  return ptrace(PTRACE_SETREGSET, thread, (void *)NT_ARM_SYSTEM_CALL, &part) == 0;
#else
  (void)thread;
  return false;
#endif
}

static bool set_result(pid_t thread, long result) {
#if defined(__x86_64__)
  return ptrace(PTRACE_POKEUSER, thread, offsetof(struct user_regs_struct, rax), result) == 0;
#elif defined(__aarch64__)
  struct user_regs_struct registers;
  struct iovec part = {&registers, sizeof registers};
  if (ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRSTATUS, &part) != 0) return false;
  registers.regs[0] = (unsigned long)result;
  return ptrace(PTRACE_SETREGSET, thread, (void *)NT_PRSTATUS, &part) == 0;
#else
  (void)thread, (void)result;
  return false;
#endif
}

// MARK: - A loss of power

static bool keep_file(int source, const char *path) {
  int target = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (target < 0) return false;
  char bytes[65536];
  ssize_t count;
  while ((count = read(source, bytes, sizeof bytes)) > 0) {
    if (write(target, bytes, (size_t)count) != count) count = -1;
    if (count < 0) break;
  }
  close(target);
  return count == 0;
}

static bool keep_folder(int source, const char *path) {
  DIR *folder = fdopendir(dup(source));
  FILE *target = fopen(path, "w");
  if (folder && target) {
    for (struct dirent *entry; (entry = readdir(folder));) {
      if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
      char text[4096];
      ssize_t length = readlinkat(source, entry->d_name, text, sizeof text);
      fprintf(target, "%llu %d %s\t%.*s\n", (unsigned long long)entry->d_ino, entry->d_type,
              entry->d_name, length > 0 ? (int)length : 0, text);
    }
  }
  bool is_kept = folder && target;
  if (folder) closedir(folder);
  if (target) is_kept = fclose(target) == 0 && is_kept;
  return is_kept;
}

// Keeps what a descriptor has synced.
static bool keep(const trace *trace, int descriptor) {
  char path[4096];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", trace->process, descriptor);
  int source = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (source < 0 || fstat(source, &status) != 0) return false;
  snprintf(path, sizeof path, "%s/%llu", trace->plan->durable, (unsigned long long)status.st_ino);
  bool is_kept = S_ISDIR(status.st_mode) ? keep_folder(source, path) : keep_file(source, path);
  close(source);
  return is_kept;
}

// MARK: - The calls

static void begin(trace *trace, call *call, const struct __ptrace_syscall_info *info) {
  call->number = info->entry.nr;
  call->descriptor = (int)info->entry.args[0];
  call->fails = false;
  if (!trace->is_marked) {
    trace->is_marked = info->entry.nr == SYS_kill && info->entry.args[1] == 0;
    return;
  }
  tracer_outcome *outcome = trace->outcome;
  outcome->calls++;
  if (trace->plan->folder && needs_space(trace, info->entry.nr, (const uint64_t *)info->entry.args)) {
    if (++outcome->writes >= trace->plan->full_at) {
      call->fails = skip(call->thread);
      trace->is_broken |= !call->fails;
    }
  }
  if (outcome->calls == trace->plan->killed_at) {
    outcome->was_killed = true;
    kill(trace->process, SIGKILL);
  }
}

static void end(trace *trace, call *call, const struct __ptrace_syscall_info *info) {
  if (call->fails) trace->is_broken |= !set_result(call->thread, -ENOSPC);
  call->fails = false;
  bool syncs = call->number == SYS_fsync || call->number == SYS_fdatasync;
  if (trace->plan->durable && syncs && info->exit.rval == 0 &&
      is_inside(trace, call->descriptor)) {
    trace->is_broken |= !keep(trace, call->descriptor);
  }
}

static void follow(trace *trace, pid_t thread) {
  struct __ptrace_syscall_info info;
  if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, (void *)sizeof info, &info) <= 0) return;
  call *call = call_of(trace, thread);
  if (!call) {
    trace->is_broken = true;
    return;
  }
  if (info.op == PTRACE_SYSCALL_INFO_ENTRY) begin(trace, call, &info);
  if (info.op == PTRACE_SYSCALL_INFO_EXIT) end(trace, call, &info);
}

bool tracer_run(
    const char *const *arguments, const tracer_plan *plan, tracer_outcome *outcome) {
  *outcome = (tracer_outcome){0};
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
  trace trace = {.plan = plan, .outcome = outcome, .process = process};
  while (true) {
    // Other children of this process are none of this thread.
    pid_t thread = waitpid(-1, &status, __WALL | __WNOTHREAD);
    if (thread < 0 && errno == EINTR) continue;
    if (thread < 0) return !trace.is_broken;
    if (!WIFSTOPPED(status)) {
      if (thread == process) outcome->status = status;
      call *call = call_of(&trace, thread);
      if (call) call->thread = 0;
      continue;
    }
    int signal = WSTOPSIG(status);
    if (signal == (SIGTRAP | 0x80)) {
      if (!outcome->was_killed) follow(&trace, thread);
      signal = 0;
    } else if (signal == SIGTRAP || signal == SIGSTOP) {
      // An event of the trace, or the first stop of a new thread.
      signal = 0;
    }
    ptrace(PTRACE_SYSCALL, thread, NULL, (void *)(intptr_t)signal);
  }
}

#else

bool tracer_run(
    const char *const *arguments, const tracer_plan *plan, tracer_outcome *outcome) {
  return false;
}

#endif
