#include "cstatic.h"

#include <stddef.h>

// A module process never loads code: its filter allows neither open nor an executable mapping. The Swift
// runtime names dlopen(3) for a debugging aid that is off here; with glibc's own, the linker warns that a static
// program would need the very same glibc beside it. This one refuses, as a missing library would.
void *dlopen(const char *path, int mode) {
  (void)path;
  (void)mode;
  return NULL;
}
