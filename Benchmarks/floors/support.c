#include "floors.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int corrupt;

void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("floors: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  _exit(1);
}

uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void add(Samples *samples, double value) {
  if (samples->count == samples->capacity) {
    samples->capacity = samples->capacity ? samples->capacity * 2 : 65536;
    samples->values = realloc(samples->values, samples->capacity * sizeof(double));
    if (!samples->values) fail("out of memory");
  }
  samples->values[samples->count++] = value;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The value that so large a part of all is less than; the samples are sorted.
static double part(const Samples *samples, double share) {
  return samples->values[(size_t)((double)(samples->count - 1) * share + 0.5)];
}

static void sort(Samples *samples) {
  if (samples->count < 3) fail("only %zu samples in the time given", samples->count);
  qsort(samples->values, samples->count, sizeof(double), ascending);
}

static void print(double median, double worst, size_t count) {
  printf("{\"p50\":%.6g,\"p99\":%.6g,\"n\":%zu}\n", median, worst, count);
}

void report(Samples *samples, double scale, int high_is_bad) {
  sort(samples);
  double worst = part(samples, high_is_bad ? 0.99 : 0.01);
  print(samples->values[(samples->count - 1) / 2] * scale, worst * scale, samples->count);
}

void report_slow(Samples *samples, double scale) {
  sort(samples);
  double slow = part(samples, 0.99) * scale;
  print(slow, slow, samples->count);
}

void fill(uint8_t *payload, size_t size) {
  uint32_t x = 2463534242u;
  for (size_t i = 0; i < size; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    payload[i] = (uint8_t)x;
  }
}

void number(uint8_t *payload, size_t size, uint64_t sequence) {
  memcpy(payload, &sequence, 8);
  memcpy(payload + size - 8, &sequence, 8);
}

void answer(uint8_t *payload, size_t size) {
  static unsigned answers;
  payload[8] ^= 0xFF;
  if (corrupt && ++answers >= 10) payload[size / 2] ^= 1;
}

void write_all(int descriptor, const void *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t count = write(descriptor, (const char *)bytes + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("write: %s", strerror(errno));
    done += (size_t)count;
  }
}

int read_all(int descriptor, void *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t count = read(descriptor, (char *)bytes + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count == 0 && done == 0) return 0;
    if (count <= 0) fail("read: %s", count ? strerror(errno) : "the other end is gone");
    done += (size_t)count;
  }
  return 1;
}

void place(int is_child) {
  const char *cpus = getenv("FLOORS_CPUS");
  int parent, child;
  if (!cpus || sscanf(cpus, "%d,%d", &parent, &child) != 2) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(is_child ? child : parent, &set);
  if (sched_setaffinity(0, sizeof set, &set)) fail("FLOORS_CPUS=%s: %s", cpus, strerror(errno));
}

pid_t fork_child(void) {
  fflush(stdout);
  pid_t child = fork();
  if (child < 0) fail("fork: %s", strerror(errno));
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    place(1);
  }
  return child;
}

Peer start(void (*body)(int in, int out), int sockets, int large) {
  int there[2], back[2];
  if (sockets) {
    int size = 1 << 20, ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) fail("socketpair: %s", strerror(errno));
    for (int i = 0; i < 2; i++) setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    there[1] = ends[0], back[0] = dup(ends[0]), there[0] = ends[1], back[1] = dup(ends[1]);
  } else if (pipe2(there, O_CLOEXEC) || pipe2(back, O_CLOEXEC)) {
    fail("pipe: %s", strerror(errno));
  }
  if (large && !sockets) {
    fcntl(there[0], F_SETPIPE_SZ, 1 << 20);
    fcntl(back[0], F_SETPIPE_SZ, 1 << 20);
  }
  pid_t child = fork_child();
  if (child == 0) {
    close(there[1]);
    close(back[0]);
    body(there[0], back[1]);
    _exit(0);
  }
  close(there[0]);
  close(back[1]);
  return (Peer){there[1], back[0], child};
}
