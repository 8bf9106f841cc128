// What a process costs: its start until its first byte, and its memory while it waits.
#include "floors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t run(char *const command[], int *output, int *input) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) fail("pipe: %s", strerror(errno));
  pid_t child = fork_child();
  if (child == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    execvp(command[0], command);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  *input = in[1];
  *output = out[0];
  return child;
}

static void expect_byte(int output, const char *program) {
  char byte = 0;
  if (read(output, &byte, 1) != 1 || byte != 'F') fail("wrong payload: %s did not say its byte", program);
}

void spawn(double seconds, char *program, int in_bwrap) {
  char *plain[] = {program, NULL};
  char *boxed[] = {"bwrap", "--unshare-all", "--ro-bind", "/", "/", program, NULL};
  Samples samples = {0};
  uint64_t end = now_ns() + (uint64_t)(seconds * 1e9);
  for (int warm = 3; warm > 0 || now_ns() < end; warm--) {
    int output, input;
    uint64_t before = now_ns();
    pid_t child = run(in_bwrap ? boxed : plain, &output, &input);
    expect_byte(output, program);
    uint64_t after = now_ns();
    if (warm <= 0) add(&samples, (double)(after - before));
    close(output);
    close(input);
    waitpid(child, NULL, 0);
  }
  report(&samples, 1e-6, 1);
}

static double pss_kib(pid_t process) {
  char path[64], line[256];
  double kib = -1;
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)process);
  FILE *file = fopen(path, "r");
  if (!file) fail("%s: %s", path, strerror(errno));
  while (fgets(line, sizeof line, file) && sscanf(line, "Pss: %lf", &kib) != 1) continue;
  fclose(file);
  if (kib <= 0) fail("no Pss in %s", path);
  return kib;
}

void idle(char *program) {
  enum { TEN = 10 };
  char *command[] = {program, "wait", NULL};
  pid_t children[TEN];
  Samples samples = {0};
  for (int i = 0; i < TEN; i++) {
    int output, input;
    children[i] = run(command, &output, &input);
    expect_byte(output, program);
  }
  for (int i = 0; i < TEN; i++) add(&samples, pss_kib(children[i]));
  for (int i = 0; i < TEN; i++) {
    kill(children[i], SIGKILL);
    waitpid(children[i], NULL, 0);
  }
  report(&samples, 1, 1);
}
