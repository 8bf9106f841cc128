// Counts what a thread takes from the heap, by standing before glibc's allocator.
#define _GNU_SOURCE
#include "cbench.h"

#include <errno.h>
#include <stddef.h>

// A program's own malloc replaces glibc's everywhere in it (glibc manual, "Replacing malloc"); these are glibc's.
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static __thread uint64_t count;

uint64_t cbench_allocations(void) { return count; }

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count++;
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count++;
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  void *taken = memalign(alignment, size);
  if (!taken) return ENOMEM;
  *block = taken;
  return 0;
}
