// Kernel calls and constants that Swift's Glibc module does not reach. Nothing here keeps state.
// No _GNU_SOURCE here: Swift's Glibc module is built without it, and two views of one glibc header do not mix.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Raw calls return the result, or -errno.
int cl_pidfd_open(pid_t pid);
int cl_pidfd_getfd(int pidfd, int target);
int cl_pidfd_send_signal(int pidfd, int signal);
int cl_close_range(unsigned first, unsigned last);
int cl_pipe2(int ends[2], int flags);
int cl_set_pipe_size(int pipe, int bytes);
int cl_seccomp_load(const void *program, unsigned short count, unsigned flags);
int cl_landlock_abi(void);
// The numbers of the processors that the calling thread may run on, in ascending order: how many there are, of which
// `capacity` are told.
int cl_processors(uint32_t *numbers, int capacity);
// Keeps a thread, 0 for the calling one, to these. Threads and processes that it starts inherit it.
int cl_keep_to_processors(pid_t thread, const uint32_t *numbers, int count);
int cl_name_thread(pthread_t thread, const char *name);
// The calling thread's turns on a processor that others wait for, in nanoseconds; 0 is what the kernel gives everyone. A
// thread that wakes takes the processor from one whose turns are longer, and gets no more of it in all (sched_setattr(2),
// Linux 6.12; kernels before it take no notice). Threads and processes that it starts inherit it.
int cl_set_slice(uint64_t nanoseconds);
// The shortest that the kernel knows, for the one that all wait for; and those of the many, which it must not wait for: of
// tasks with turns as long as its own a busy one keeps the processor up to the kernel's next tick.
// The longest is for what nobody waits for closely: whoever wakes takes the processor from it.
enum { CL_SHORTEST_SLICE = 100000, CL_SHORT_SLICE = 300000, CL_LONGEST_SLICE = 100000000 };
// Waits at most `nanoseconds`; for ever where that is negative.
int cl_ppoll(struct pollfd *polled, nfds_t count, int64_t nanoseconds);
// Keeps up to 4 MiB that malloc was given back, rather than return them to the kernel and fault them in again with the
// next large frame.
void cl_keep_heap(void);
// Makes stdout write each line as it ends.
void cl_line_buffer_stdout(void);
// openat2(2) that leaves neither the folder nor the straight path: RESOLVE_BENEATH, no links of any kind.
int cl_open_beneath(int folder, const char *path, uint64_t flags, uint64_t mode);
// renameat2(2) with RENAME_NOREPLACE: -EEXIST where the new name is taken.
int cl_rename_new(int from, const char *name, int to, const char *new_name);
// renameat2(2) with RENAME_EXCHANGE: both must be there, and change places in one step.
int cl_rename_exchange(int from, const char *name, int to, const char *other_name);
