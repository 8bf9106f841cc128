// A third party's executable that means harm: one C file, static, with no kit. The case it is to be stands in the first
// frame that it is sent; the rest of the protocol it never speaks.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { input = 3, output = 4, executable = 5 };

static char frame[4096];
static ssize_t frame_size;

// Pipes are non-blocking; poll(2) is not among the calls that a module has, ppoll(2) is.
static void read_frame(void) {
  struct pollfd polled = {.fd = input, .events = POLLIN};
  while (ppoll(&polled, 1, NULL, NULL) < 0) {
  }
  frame_size = read(input, frame, sizeof frame);
}

static int is_case(const char *entry_point) {
  return frame_size > 0 && memmem(frame, (size_t)frame_size, entry_point, strlen(entry_point)) != NULL;
}

int main(void) {
  char *const arguments[] = {"module", NULL};
  char *const environment[] = {NULL};
  read_frame();
  if (is_case("case.bundle_exec_twice"))
    syscall(SYS_execveat, executable, "", arguments, environment, AT_EMPTY_PATH);
  if (is_case("case.bundle_exec_by_path"))
    syscall(SYS_execveat, executable, "/bin/true", arguments, environment, AT_EMPTY_PATH);
  if (is_case("case.bundle_exec_by_old_name")) syscall(SYS_execve, "/bin/true", arguments, environment);
  if (is_case("case.bundle_reads_passwd")) syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY);
  if (is_case("case.bundle_sends_garbage")) {
    static const char garbage[32] = {8, 0, 0, 0, 99};
    // Whether it is taken does not matter: the supervisor ends whoever sends it.
    ssize_t written = write(output, garbage, sizeof garbage);
    (void)written;
  }
  if (is_case("case.bundle_leaves")) return 3;
  // Says nothing, for ever; also whoever got through one of the above.
  for (;;) ppoll(NULL, 0, NULL, NULL);
}
