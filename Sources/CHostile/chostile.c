#include "chostile.h"

#if !defined(__x86_64__)
#error "the programs that try a foreign ABI are written for x86-64"
#endif

long ch_call(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f) {
  long result;
  register uint64_t r10 __asm__("r10") = d;
  register uint64_t r8 __asm__("r8") = e;
  register uint64_t r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

long ch_getpid_of_i386(void) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "r8", "r9", "r10", "r11", "memory");
  return result;
}

long ch_getpid_of_x32(void) { return ch_call(0x40000000L | 39, 0, 0, 0, 0, 0, 0); }
