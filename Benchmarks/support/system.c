#define _GNU_SOURCE
#include "cbench.h"

#include <errno.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

int cbench_pin(int thread, uint64_t cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int cpu = 0; cpu < 64; cpu++)
    if (cpus >> cpu & 1) CPU_SET(cpu, &set);
  return sched_setaffinity(thread, sizeof set, &set) ? -errno : 0;
}

void cbench_end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)kind, (void)place;
  return remove(path);
}

void cbench_remove_tree(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }
