// Makes system calls it is told of under a filter it is given, and says what came back (docs/sandbox.md).
// Spawned by SyscallMatrix like a module host: requests on 3, results on 4. It uses no more than it must: what it calls
// under the filter are the probed calls, read(2) and write(2).
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <grp.h>

#if !defined(__x86_64__)
#error "int 0x80 and x32 are ways into an x86-64 kernel"
#endif

enum way { WAY_SHARED, WAY_ALONE, WAY_I386 };

struct head {
  uint32_t instructions, alone, shared, user;
};

struct call {
  uint32_t way, number;
  uint64_t arguments[6];
};

enum { REQUESTS = 3, RESULTS = 4, MAXIMUM_CALLS = 1 << 16 };

static void take(void *buffer, size_t size) {
  for (char *at = buffer; size;) {
    ssize_t count = read(REQUESTS, at, size);
    if (count <= 0) _exit(EXIT_FAILURE);
    at += count;
    size -= (size_t)count;
  }
}

static void give(int64_t value) {
  if (write(RESULTS, &value, sizeof value) != sizeof value) _exit(EXIT_FAILURE);
}

static int64_t native(const struct call *call) {
  const uint64_t *a = call->arguments;
  int64_t result;
  register uint64_t r10 __asm__("r10") = a[3];
  register uint64_t r8 __asm__("r8") = a[4];
  register uint64_t r9 __asm__("r9") = a[5];
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"((uint64_t)call->number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

static int64_t i386(const struct call *call) {
  const uint64_t *a = call->arguments;
  int64_t result;
  __asm__ volatile("int $0x80"
                   : "=a"(result)
                   : "a"((uint64_t)call->number), "b"(a[0]), "c"(a[1]), "d"(a[2]), "S"(a[3]), "D"(a[4])
                   : "r8", "r9", "r10", "r11", "memory");
  return result;
}

static long lock(struct sock_fprog *program, unsigned flags) {
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, program);
}

// A call that ends its caller, one way or the other, in a process of its own: how that ended, as waitid(2) says it.
static int64_t alone(const struct call *call, struct sock_fprog *program) {
  pid_t child = fork();
  if (child < 0) return -errno;
  if (child == 0) {
    // Without a listener: what the filter hands over fails with ENOSYS here.
    if (lock(program, 0)) _exit(EXIT_FAILURE);
    if (call->way == WAY_I386) i386(call);
    else native(call);
    __builtin_trap();
  }
  siginfo_t info;
  if (waitid(P_PID, (id_t)child, &info, WEXITED)) return -errno;
  return (int64_t)info.si_code << 32 | (uint32_t)info.si_status;
}

static int become(uint32_t user) {
  const struct rlimit none = {0, 0};
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) || setrlimit(RLIMIT_CORE, &none)) return -1;
  // Should a filter let a call through, it is no root who makes it.
  if (user && (setgroups(0, NULL) || setresgid(user, user, user) || setresuid(user, user, user))) return -1;
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

int main(void) {
  struct head head;
  take(&head, sizeof head);
  if (!head.instructions || head.instructions > BPF_MAXINSNS || head.alone > MAXIMUM_CALLS ||
      head.shared > MAXIMUM_CALLS)
    return EXIT_FAILURE;
  size_t count = (size_t)head.alone + head.shared;
  struct sock_filter *instructions = calloc(head.instructions, sizeof *instructions);
  struct call *calls = calloc(count + 1, sizeof *calls);
  if (!instructions || !calls) return EXIT_FAILURE;
  take(instructions, head.instructions * sizeof *instructions);
  take(calls, count * sizeof *calls);
  struct sock_fprog program = {(unsigned short)head.instructions, instructions};
  if (become(head.user)) return EXIT_FAILURE;
  for (size_t i = 0; i < head.alone; i++) give(alone(&calls[i], &program));
  long listener = lock(&program, SECCOMP_FILTER_FLAG_NEW_LISTENER);
  if (listener < 0) return EXIT_FAILURE;
  give(listener);
  char release;
  take(&release, sizeof release);
  for (size_t i = head.alone; i < count; i++) give(native(&calls[i]));
  take(&release, sizeof release);
  return EXIT_SUCCESS;
}
