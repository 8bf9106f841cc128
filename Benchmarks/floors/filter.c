// What a filter costs a loop of system calls: the loop runs bare, or under the filter in the file FLOORS_FILTER.
#include "floors.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MESSAGE = 64, LOOPS = 256, MOST = 1 << 18 };

typedef struct {
  double seconds;
  size_t count;
  double values[MOST];
} Run;

static void load_filter(void) {
  const char *path = getenv("FLOORS_FILTER");
  if (!path) return;
  static struct sock_filter instructions[BPF_MAXINSNS];
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t size = read(file, instructions, sizeof instructions);
  if (size <= 0 || size % (ssize_t)sizeof *instructions) fail("%s: no filter, or none that this reads", path);
  close(file);
  struct sock_fprog program = {(unsigned short)((size_t)size / sizeof *instructions), instructions};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))
    fail("seccomp: %s", strerror(errno));
}

// A message through a pipe to itself: the two calls that a module makes most, whose arguments no filter looks at.
static void pass_message(const int ends[2], uint64_t sequence) {
  uint8_t sent[MESSAGE] = {0}, got[MESSAGE] = {0};
  number(sent, MESSAGE, sequence);
  write_all(ends[1], sent, MESSAGE);
  if (corrupt) sent[MESSAGE / 2] ^= 1;
  if (!read_all(ends[0], got, MESSAGE) || memcmp(sent, got, MESSAGE)) fail("wrong payload");
}

// Eight bytes of chance: a call whose flags the filter compares.
static void draw(void) {
  uint64_t number = 0;
  if (getrandom(&number, sizeof number, corrupt ? ~0u : GRND_NONBLOCK) != sizeof number)
    fail("wrong payload: getrandom: %s", strerror(errno));
}

static void loop(Run *run, const int ends[2], int compared) {
  load_filter();
  uint64_t warm = now_ns() + (uint64_t)(run->seconds * 1e8), end = warm + (uint64_t)(run->seconds * 1e9), after = 0;
  for (uint64_t sequence = 1; after < end && run->count < MOST;) {
    uint64_t before = now_ns();
    for (int i = 0; i < LOOPS; i++, sequence++) compared ? draw() : pass_message(ends, sequence);
    after = now_ns();
    if (before >= warm) run->values[run->count++] = (double)(after - before) / LOOPS;
  }
  _exit(0);
}

void system_calls(double seconds, int compared) {
  int ends[2], status;
  Run *run = mmap(NULL, sizeof *run, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (run == MAP_FAILED || pipe2(ends, O_CLOEXEC)) fail("mmap or pipe: %s", strerror(errno));
  run->seconds = seconds;
  pid_t child = fork_child();
  if (child == 0) loop(run, ends, compared);
  if (waitpid(child, &status, 0) != child || status) fail("the loop ended by status %#x", status);
  Samples samples = {run->values, run->count, MOST};
  report(&samples, 1, 1);
}
