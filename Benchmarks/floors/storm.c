// A call beside processes that crash and are started again at once: what fork, exec and the scheduler make of it.
#include "floors.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// As many modules crash beside ours, each so often: two hundred crashes a second.
enum { LANES = 4 };
static const uint64_t PAUSE = 20000000;

static void crash_again_and_again(char *program) {
  char *command[] = {program, "crash", NULL};
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (uint64_t next = now_ns() + PAUSE;; next += PAUSE) {
    int status = 0;
    pid_t child = fork_child();
    if (child == 0) {
      setsid();
      execv(program, command);
      _exit(127);
    }
    waitpid(child, &status, 0);
    if (!WIFSIGNALED(status)) fail("%s did not crash", program);
    struct timespec until = {.tv_sec = (time_t)(next / 1000000000u), .tv_nsec = (long)(next % 1000000000u)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
  }
}

void storm(double seconds, char *program) {
  pid_t lanes[LANES];
  for (int i = 0; i < LANES; i++) {
    lanes[i] = fork_child();
    if (lanes[i] == 0) crash_again_and_again(program);
  }
  slow_ping_pong(seconds);
  for (int i = 0; i < LANES; i++) {
    kill(lanes[i], SIGKILL);
    waitpid(lanes[i], NULL, 0);
  }
}
