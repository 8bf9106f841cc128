// What forsetti-bench needs of C.
#pragma once
#include <stdint.h>

// Blocks that the calling thread has taken from the heap since it began.
uint64_t cbench_allocations(void);

// Keeps a thread, 0 for the calling one, on the CPUs whose bits are set, those below 64. 0 or -errno.
int cbench_pin(int thread, uint64_t cpus);
// Kills this process when the thread that started it ends.
void cbench_end_with_parent(void);
// Copies a program. 0 or -errno.
int cbench_copy(const char *from, const char *to);
// Removes a folder and all in it.
void cbench_remove_tree(const char *path);
