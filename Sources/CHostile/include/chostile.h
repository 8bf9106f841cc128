// Ways to ask the kernel that Swift can't spell, for programs that try what a module must not do.
#pragma once
#include <stdint.h>

// A native call with any number and registers; the result, or -errno.
long ch_call(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f);
// getpid through the 32-bit gate; the result, or -errno.
long ch_getpid_of_i386(void);
// getpid of the x32 ABI.
long ch_getpid_of_x32(void);
