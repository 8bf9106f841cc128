// Starting and reaping children. Nothing here keeps state.
#pragma once
#include "clinux.h"

// Starts a module host or a helper: `path` with its last part alone as argv and the two variables of DESIGN, a session of its
// own, no signal blocked or ignored, /dev/null as 0, `log` as 1 and 2, `in` as 3, `out` as 4, where it is not negative
// `executable` as 5, and nothing else. The others must be numbered 5 or more, and none but `executable` 5 where there
// is one. 0, or -errno of the exec as well.
int cl_spawn_host(const char *path, int in, int out, int log, int executable, pid_t *pid);
// Reaps the process of a readable pidfd: 1 and its CLD_ code, status and usage, 0 when it still runs, or -errno.
int cl_reap(int pidfd, int *code, int *status, struct rusage *usage);
// Tells the same of it and leaves it to be reaped, which takes the kernel much longer.
int cl_see_end(int pidfd, int *code, int *status, struct rusage *usage);
// Numbers in an open /proc/PID/fd or /proc/PID/task, at most `capacity` of them; returns how many there are, or -errno.
int cl_numbers(int directory, int *numbers, int capacity);
// Ends and reaps a child: while it is not reaped, its number is its own. One that may not be ended from here (a Landlock
// domain of ours that it is outside of) is not waited for.
void cl_abandon(pid_t pid);
// fork(2) of a process of one thread: 0 in the child, or -errno.
pid_t cl_fork(void);
