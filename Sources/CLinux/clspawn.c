#define _GNU_SOURCE
#include "clspawn.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int act(posix_spawn_file_actions_t *f, int in, int out, int log, int executable) {
  int e = posix_spawn_file_actions_addopen(f, 0, "/dev/null", O_RDONLY, 0);
  if (!e) e = posix_spawn_file_actions_adddup2(f, log, 1);
  if (!e) e = posix_spawn_file_actions_adddup2(f, log, 2);
  if (!e) e = posix_spawn_file_actions_adddup2(f, in, 3);
  if (!e) e = posix_spawn_file_actions_adddup2(f, out, 4);
  if (!e && executable >= 0) e = posix_spawn_file_actions_adddup2(f, executable, 5);
  if (!e) e = posix_spawn_file_actions_addclosefrom_np(f, executable >= 0 ? 6 : 5);
  return e;
}

int cl_spawn_host(const char *path, int in, int out, int log, int executable, pid_t *pid) {
  const char *slash = strrchr(path, '/');
  char *argv[] = {(char *)(slash ? slash + 1 : path), 0};
  char *environment[] = {"SWIFT_BACKTRACE=enable=no", "SWIFT_ROOT=/", 0};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  int e = posix_spawn_file_actions_init(&files);
  if (e) return -e;
  e = posix_spawnattr_init(&attributes);
  if (e) {
    posix_spawn_file_actions_destroy(&files);
    return -e;
  }
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  e = posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  if (!e) e = act(&files, in, out, log, executable);
  if (!e) e = posix_spawn(pid, path, &files, &attributes, argv, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return -e;
}

void cl_abandon(pid_t pid) {
  if (kill(pid, SIGKILL)) return;
  while (waitpid(pid, 0, 0) < 0 && errno == EINTR) continue;
}

pid_t cl_fork(void) {
  pid_t pid = fork();
  return pid < 0 ? -errno : pid;
}

static int look(int pidfd, int flags, int *code, int *status, struct rusage *usage) {
  siginfo_t info = {.si_pid = 0};
  // glibc's waitid(3) has no place for the usage, which the kernel's fifth argument is.
  if (syscall(SYS_waitid, P_PIDFD, pidfd, &info, WEXITED | WNOHANG | flags, usage)) return -errno;
  if (!info.si_pid) return 0;
  *code = info.si_code;
  *status = info.si_status;
  return 1;
}

int cl_reap(int pidfd, int *code, int *status, struct rusage *usage) {
  return look(pidfd, 0, code, status, usage);
}

int cl_see_end(int pidfd, int *code, int *status, struct rusage *usage) {
  return look(pidfd, WNOWAIT, code, status, usage);
}

int cl_numbers(int directory, int *numbers, int capacity) {
  _Alignas(struct dirent64) char buffer[2048];
  int count = 0;
  if (lseek(directory, 0, SEEK_SET) < 0) return -errno;
  for (;;) {
    ssize_t size = getdents64(directory, buffer, sizeof buffer);
    if (size <= 0) return size < 0 ? -errno : count;
    for (ssize_t at = 0; at < size;) {
      struct dirent64 *entry = (struct dirent64 *)(buffer + at);
      at += entry->d_reclen;
      if (entry->d_name[0] == '.') continue;
      if (count < capacity) numbers[count] = atoi(entry->d_name);
      count++;
    }
  }
}
