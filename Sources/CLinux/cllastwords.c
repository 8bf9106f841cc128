#define _GNU_SOURCE
#include "cllastwords.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

_Static_assert(sizeof(struct cl_last_words) <= 4096, "one write must not be split (PIPE_BUF)");

const unsigned char cl_last_words_mark[CL_LAST_WORDS_MARK] = {
    0xff, 0, 'f', 'o', 'r', 's', 'e', 't', 't', 'i', ' ', 'e', 'n', 'd', 0, 0xfe};

// The kernel saves a processor's wide registers here: 64 KiB hold those of AMX too. Pages that no fault needs cost
// nothing.
static char stack[65536] __attribute__((aligned(16)));
static struct cl_last_words record;
static int output = -1;
static uintptr_t stack_end;
static volatile sig_atomic_t first_signal;

extern void *__libc_stack_end;
// The linker's own name for the first byte of the executable; absent where it does not define it.
extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));
// The end of its code (end(3)).
extern char etext[];

static void say(void) { (void)!write(output, &record, sizeof record); }

// Ends the process by this signal. It is blocked here, or has its default action, so the kernel ends the process
// whatever it was that made the handler run: an instruction that faults anew, or one that somebody sent. A return
// would be rt_sigreturn, which is a violation.
static _Noreturn void end_by(int signal) {
  if (signal == SIGABRT)
    syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), SIGABRT);
#if defined(__x86_64__)
  if (signal == SIGSEGV) __asm__ volatile("movb $0, 0" ::: "memory");
  // An address that is none, by way of the stack register, is a stack fault.
  if (signal == SIGBUS) __asm__ volatile("movabs $0x8000000000000000, %%rbp; movb $0, (%%rbp)" ::: "memory");
  if (signal == SIGFPE) __asm__ volatile("xorl %%ecx, %%ecx; xorl %%edx, %%edx; divl %%ecx" ::: "eax", "ecx", "edx");
  if (signal == SIGTRAP) __asm__ volatile("int3");
  for (;;) __asm__ volatile("ud2");
#elif defined(__aarch64__)
  if (signal == SIGSEGV) __asm__ volatile("str xzr, [xzr]" ::: "memory");
  if (signal == SIGTRAP) __asm__ volatile("brk #0");
  if (signal == SIGBUS) __asm__ volatile("mov x0, sp; add sp, x0, #1; ldr x0, [sp]" ::: "x0", "memory");
  for (;;) __asm__ volatile(".inst 0");
#endif
}

static int is_code(uintptr_t address) {
  return address >= (uintptr_t)__ehdr_start && address < (uintptr_t)etext;
}

// Whether a saved frame pointer and a return address can lie here.
static int is_on_stack(uintptr_t frame) {
  return frame % sizeof frame == 0 && frame <= stack_end - 2 * sizeof frame;
}

// Bit 60 marks a frame of an async function.
static uintptr_t plain(uintptr_t frame) { return frame & ~(UINT64_C(1) << 60); }

// Return addresses by the chain of frame pointers, as far as it lies on the main thread's stack and goes up.
static void walk(uintptr_t frame, uintptr_t from) {
  while (record.count < CL_LAST_WORDS_FRAMES && frame >= from && is_on_stack(frame)) {
    const uintptr_t *pair = (const uintptr_t *)frame;
    if (!is_code(pair[1])) return;
    record.frames[record.count++] = pair[1];
    from = frame + 1;
    frame = plain(pair[0]);
  }
}

// glibc is built without frame pointers, and abort(3) uses the register for something else. The caller's frame lies
// not far above: the first pair that leads to another one.
static void search(uintptr_t from) {
  for (uintptr_t at = from; at < from + 8192 && is_on_stack(at); at += sizeof at) {
    const uintptr_t *pair = (const uintptr_t *)at;
    uintptr_t next = plain(pair[0]);
    if (next <= at || !is_on_stack(next) || !is_code(pair[1])) continue;
    if (is_code(((const uintptr_t *)next)[1])) return walk(at, at);
  }
}

static void handle(int signal, siginfo_t *info, void *context) {
  // A fault while the frames were read: what is known is said, and the first signal is the one that counts.
  if (first_signal) {
    say();
    end_by(first_signal);
  }
  first_signal = signal;
  const mcontext_t *machine = &((const ucontext_t *)context)->uc_mcontext;
  record.signal = (uint32_t)signal;
  record.code = info->si_code;
  record.address = info->si_code > 0 ? (uintptr_t)info->si_addr : 0;
#if defined(__x86_64__)
  uintptr_t instruction = (uintptr_t)machine->gregs[REG_RIP];
  uintptr_t frame = (uintptr_t)machine->gregs[REG_RBP];
  uintptr_t from = (uintptr_t)machine->gregs[REG_RSP];
#elif defined(__aarch64__)
  uintptr_t instruction = machine->pc, frame = machine->regs[29], from = machine->sp;
#endif
  record.frames[record.count++] = instruction;
  // A jump to where no code is: only the top of the stack knows who called.
  if (instruction == record.address && is_on_stack(from))
    record.frames[record.count++] = *(const uintptr_t *)from;
  uint32_t known = record.count;
  walk(plain(frame), from);
  if (record.count == known) search(from);
  say();
  end_by(signal);
}

int cl_install_last_words(int descriptor) {
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  if (sigaltstack(&alternate, NULL)) return -errno;
  output = descriptor;
  stack_end = (uintptr_t)__libc_stack_end;
  memcpy(record.mark, cl_last_words_mark, sizeof record.mark);
  record.base = (uintptr_t)__ehdr_start;
  const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction action = {.sa_sigaction = handle};
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | (signals[i] == SIGABRT ? SA_NODEFER : 0);
    sigemptyset(&action.sa_mask);
    if (sigaction(signals[i], &action, NULL)) return -errno;
  }
  return 0;
}
