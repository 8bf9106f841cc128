#define _GNU_SOURCE
#include "clinux.h"
#include <linux/openat2.h>
#include <malloc.h>
#include <sched.h>
#include <stdio.h>

static int done(long r) { return r < 0 ? -errno : (int)r; }

int cl_pidfd_open(pid_t pid) { return done(syscall(SYS_pidfd_open, pid, 0)); }

int cl_pidfd_getfd(int pidfd, int target) { return done(syscall(SYS_pidfd_getfd, pidfd, target, 0)); }

int cl_pidfd_send_signal(int pidfd, int signal) {
  return done(syscall(SYS_pidfd_send_signal, pidfd, signal, 0, 0));
}

int cl_close_range(unsigned first, unsigned last) { return done(close_range(first, last, 0)); }

int cl_pipe2(int ends[2], int flags) { return done(pipe2(ends, flags)); }

int cl_set_pipe_size(int pipe, int bytes) { return done(fcntl(pipe, F_SETPIPE_SZ, bytes)); }

int cl_seccomp_load(const void *program, unsigned short count, unsigned flags) {
  struct sock_fprog p = {.len = count, .filter = (struct sock_filter *)program};
  return done(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &p));
}

int cl_landlock_abi(void) {
  return done(syscall(SYS_landlock_create_ruleset, 0, 0, LANDLOCK_CREATE_RULESET_VERSION));
}

int cl_processors(uint32_t *numbers, int capacity) {
  cpu_set_t set;
  int count = 0;
  if (sched_getaffinity(0, sizeof set, &set)) return -errno;
  for (uint32_t number = 0; number < CPU_SETSIZE; number++) {
    if (!CPU_ISSET(number, &set)) continue;
    if (count < capacity) numbers[count] = number;
    count++;
  }
  return count;
}

int cl_keep_to_processors(pid_t thread, const uint32_t *numbers, int count) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int i = 0; i < count; i++) CPU_SET(numbers[i], &set);
  return done(sched_setaffinity(thread, sizeof set, &set));
}

int cl_name_thread(pthread_t thread, const char *name) { return -pthread_setname_np(thread, name); }

// struct sched_attr of <linux/sched/types.h> in its first size, which glibc's <sched.h> has from 2.41 on.
struct scheduling {
  uint32_t size, policy;
  uint64_t flags;
  int32_t niceness;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

int cl_set_slice(uint64_t nanoseconds) {
  struct scheduling s = {.size = sizeof s};
  long result = syscall(SYS_sched_getattr, 0, &s, sizeof s, 0);
  if (result < 0) return done(result);
  s.runtime = nanoseconds;
  return done(syscall(SYS_sched_setattr, 0, &s, 0));
}

int cl_ppoll(struct pollfd *polled, nfds_t count, int64_t nanoseconds) {
  struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  return done(ppoll(polled, count, nanoseconds < 0 ? 0 : &time, 0));
}

void cl_keep_heap(void) {
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
}

void cl_line_buffer_stdout(void) { setvbuf(stdout, 0, _IOLBF, 0); }

int cl_open_beneath(int folder, const char *path, uint64_t flags, uint64_t mode) {
  struct open_how how = {
      .flags = flags, .mode = mode, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
  return done(syscall(SYS_openat2, folder, path, &how, sizeof how));
}

int cl_rename_new(int from, const char *name, int to, const char *new_name) {
  return done(renameat2(from, name, to, new_name, RENAME_NOREPLACE));
}

int cl_rename_exchange(int from, const char *name, int to, const char *other_name) {
  return done(renameat2(from, name, to, other_name, RENAME_EXCHANGE));
}
