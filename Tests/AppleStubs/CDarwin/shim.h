// Declarations of Darwin's libc that Linux's lacks and that only C can express: a union, and a type
// and a function with the same name.

#include <stdint.h>
#include <sys/time.h>
#include <time.h>

// signal.h

union darwin_sigaction_u {
  void (*__sa_handler)(int);
};

// sys/event.h

#define EVFILT_VNODE (-4)
#define EVFILT_USER (-10)

#define EV_ADD 0x0001
#define EV_DELETE 0x0002
#define EV_CLEAR 0x0020

#define NOTE_TRIGGER 0x01000000
#define NOTE_DELETE 0x00000001
#define NOTE_WRITE 0x00000002
#define NOTE_EXTEND 0x00000004
#define NOTE_ATTRIB 0x00000008
#define NOTE_RENAME 0x00000020

struct kevent {
  uintptr_t ident;
  int16_t filter;
  uint16_t flags;
  uint32_t fflags;
  intptr_t data;
  void *udata;
};

int kqueue(void);
int kevent(
  int kq, const struct kevent *changelist, int nchanges, struct kevent *eventlist, int nevents,
  const struct timespec *timeout);

// sys/mount.h

struct statfs {
  uint32_t f_bsize;
  uint64_t f_bavail;
};

int statfs(const char *path, struct statfs *status);

// sys/sysctl.h, sys/proc.h

#define SSTOP 4
struct extern_proc {
  union {
    struct {
      void *__p_forw;
      void *__p_back;
    } p_st1;
    struct timeval __p_starttime;
  } p_un;
  char p_stat;
};

struct kinfo_proc {
  struct extern_proc kp_proc;
};
