// A process that is ending by a fault of its own says where it stood. Nothing here may be called after the filter is
// on but what it does by itself: write(2), and for SIGABRT the served getpid, gettid and tgkill.
#pragma once
#include <stdint.h>

enum {
  CL_LAST_WORDS_FRAMES = 62,
  CL_LAST_WORDS_MARK = 16,
};

// What is written to the log pipe, in one write that is smaller than PIPE_BUF. The mark begins with 0xFF, which no
// UTF-8 text holds. Numbers are little-endian. A module can write one itself: whoever reads it must not believe it.
struct cl_last_words {
  unsigned char mark[CL_LAST_WORDS_MARK];
  uint32_t signal;
  int32_t code;       // si_code
  uint64_t address;   // si_addr; 0 where the signal was sent
  uint64_t base;      // where the executable's first byte is mapped
  uint32_t count;     // frames that follow, at most CL_LAST_WORDS_FRAMES
  uint32_t reserved;  // 0
  uint64_t frames[CL_LAST_WORDS_FRAMES];  // the instruction, then return addresses, innermost first
};

// The mark; CL_LAST_WORDS_MARK bytes.
extern const unsigned char cl_last_words_mark[CL_LAST_WORDS_MARK];

// Installs the handler for SEGV, BUS, ILL, TRAP, FPE and ABRT on a stack of its own. The record goes to `descriptor`.
// To be called by the main thread, before the filter, which refuses sigaltstack and sigaction. 0, or -errno.
int cl_install_last_words(int descriptor);
