// How long it takes until a locked module works, beside what a process costs at the least and what a common
// sandbox costs. Three things are measured in turn, in one run, so that all see the same machine:
//
//   fork + exec   fork, exec of a static C program, its first byte read
//   bwrap         the same program inside `bwrap --unshare-all`, its first byte read
//   ours          spawn, lock, describe, start, "started" read: each module of a real boot of the strict set
//
// Every answer is checked: the byte must be the program's own, and each module must be reported active by a
// supervisor that ended with 0. Prints medians and both ratios; ends with 1 when a ratio is over its bar.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 25, STARTS_A_ROUND = 8, MOST = 4096 };

static const double FLOOR_BAR = 4.0, BWRAP_BAR = 0.5;

typedef struct {
  double values[MOST];
  size_t count;
} Samples;

static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("activation: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void add(Samples *samples, double value) {
  if (samples->count < MOST) samples->values[samples->count++] = value;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double quantile(Samples *samples, double q) {
  if (samples->count == 0) fail("nothing was measured");
  qsort(samples->values, samples->count, sizeof(double), ascending);
  return samples->values[(size_t)((double)(samples->count - 1) * q + 0.5)];
}

// Starts a command with its output in a pipe; returns the read end.
static int start(char *const command[], pid_t *child) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) fail("pipe: %s", strerror(errno));
  *child = fork();
  if (*child < 0) fail("fork: %s", strerror(errno));
  if (*child == 0) {
    dup2(ends[1], 1);
    execvp(command[0], command);
    _exit(127);
  }
  close(ends[1]);
  return ends[0];
}

static void expect_success(pid_t child, const char *name) {
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("wait: %s", strerror(errno));
  if (!WIFEXITED(status) || WEXITSTATUS(status))
    fail("%s ended with %s %d", name, WIFEXITED(status) ? "code" : "signal",
         WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

static double first_byte(char *const command[]) {
  pid_t child;
  char answer = 0;
  double begin = now_ms();
  int output = start(command, &child);
  ssize_t count = read(output, &answer, 1);
  double end = now_ms();
  if (count != 1 || answer != 'F') fail("%s did not print its byte", command[0]);
  close(output);
  expect_success(child, command[0]);
  return end - begin;
}

// Takes every module of the report of `run --once --json`.
static size_t activations(char *const command[], Samples *samples) {
  static char report[1 << 20];
  static const char key[] = "\"activationMilliseconds\":", active[] = "\"state\":\"active\"";
  pid_t child;
  int output = start(command, &child);
  size_t length = 0;
  for (ssize_t count; (count = read(output, report + length, sizeof report - 1 - length)) > 0;)
    length += (size_t)count;
  report[length] = 0;
  close(output);
  expect_success(child, command[0]);
  size_t modules = 0, actives = 0;
  for (char *at = report; (at = strstr(at, active)); at += sizeof active - 1) actives++;
  for (char *at = report; (at = strstr(at, key)); modules++) {
    at += sizeof key - 1;
    char *end;
    double value = strtod(at, &end);
    if (end == at || value <= 0) fail("the report lacks a module's time");
    add(samples, value);
  }
  if (modules == 0 || modules != actives) fail("%zu of %zu modules are active", actives, modules);
  return modules;
}

static void remove_folder(const char *path) {
  pid_t child = fork();
  if (child == 0) {
    execlp("rm", "rm", "-rf", "--", path, (char *)NULL);
    _exit(127);
  }
  if (child > 0) waitpid(child, NULL, 0);
}

static void row(const char *name, Samples *samples) {
  double median = quantile(samples, 0.5);
  printf("  %-22s %8.3f ms   p90 %8.3f ms   n %zu\n", name, median, quantile(samples, 0.9), samples->count);
}

static int verdict(const char *text, double ratio, double bar) {
  printf("  %-22s %8.2f      bar %4.1f   %s\n", text, ratio, bar, ratio <= bar ? "met" : "MISSED");
  return ratio <= bar;
}

int main(int argc, char **argv) {
  if (argc != 4) fail("usage: activation FIRST-BYTE SUPERVISOR POLICY");
  char folder[] = "/tmp/forsetti-bench.XXXXXX";
  if (!mkdtemp(folder)) fail("mkdtemp: %s", strerror(errno));
  char state[64], runtime[64];
  snprintf(state, sizeof state, "%s/state", folder);
  snprintf(runtime, sizeof runtime, "%s/run", folder);
  char *plain[] = {argv[1], NULL};
  char *bwrap[] = {"bwrap", "--unshare-all", "--ro-bind", "/", "/", argv[1], NULL};
  char *ours[] = {argv[2], "run",   "--once",        "--json", "--quiet", "--policy",
                  argv[3], "--state", state, "--runtime-dir", runtime,  NULL};
  static Samples floor_samples, bwrap_samples, our_samples;
  size_t modules = 0;
  char path[4096];
  if (argv[1][0] != '/' && realpath(argv[1], path)) plain[0] = bwrap[5] = path;

  for (int round = -1; round < ROUNDS; round++) {
    if (round == 0) floor_samples.count = bwrap_samples.count = our_samples.count = 0; // the first one warms up
    for (int i = 0; i < STARTS_A_ROUND; i++) {
      add(&floor_samples, first_byte(plain));
      add(&bwrap_samples, first_byte(bwrap));
    }
    modules = activations(ours, &our_samples);
  }
  remove_folder(folder);

  printf("Start of a process until it has answered, medians of one run, taken in turn\n");
  row("fork + exec, static C", &floor_samples);
  row("bwrap --unshare-all", &bwrap_samples);
  printf("  (%zu modules a boot)\n", modules);
  row("locked module, active", &our_samples);
  double ours_median = quantile(&our_samples, 0.5);
  int met = verdict("ours / fork + exec", ours_median / quantile(&floor_samples, 0.5), FLOOR_BAR);
  met &= verdict("ours / bwrap", ours_median / quantile(&bwrap_samples, 0.5), BWRAP_BAR);
  return met ? 0 : 1;
}
