#define _GNU_SOURCE
#include "cbench.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

int cbench_pin(int thread, uint64_t cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int cpu = 0; cpu < 64; cpu++)
    if (cpus >> cpu & 1) CPU_SET(cpu, &set);
  return sched_setaffinity(thread, sizeof set, &set) ? -errno : 0;
}

void cbench_end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

int cbench_copy(const char *from, const char *to) {
  int source = open(from, O_RDONLY | O_CLOEXEC);
  if (source < 0) return -errno;
  int target = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
  ssize_t count = target < 0 ? -1 : 1;
  while (count > 0) count = sendfile(target, source, NULL, 1 << 20);
  int result = count < 0 ? -errno : 0;
  // The umask may have taken the bits that let a module's own user run it.
  if (!result && fchmod(target, 0755)) result = -errno;
  if (target >= 0) close(target);
  close(source);
  return result;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)kind, (void)place;
  return remove(path);
}

void cbench_remove_tree(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }
