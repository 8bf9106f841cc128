// What locking a process and answering its calls need beside clinux.h. Raw calls return the result, or -errno.
#pragma once
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/types.h>

// Constants that glibc shows under _GNU_SOURCE only; the kernel's own values.
enum {
  CL_MREMAP_MAYMOVE = 1,
  CL_AT_EMPTY_PATH = 0x1000,
  // What pthread_create(3) passes to clone(2): VM FS FILES SIGHAND THREAD SYSVSEM SETTLS PARENT_SETTID CHILD_CLEARTID.
  CL_CLONE_OF_PTHREADS = 0x3d0f00,
};

// Landlock grows with its ABI; Debian 12's header knows ABI 2. Older kernels take the longer struct where its
// tail is zero, which clears what they don't know.
struct cl_landlock_attributes {
  uint64_t handled_access_fs;   // ABI 1
  uint64_t handled_access_net;  // ABI 4
  uint64_t scoped;              // ABI 6
};

int cl_landlock_create_ruleset(const struct cl_landlock_attributes *attributes);
// Gives back `rights` below an open folder, or on an open file.
int cl_landlock_allow_beneath(int ruleset, int place, uint64_t rights);
int cl_landlock_restrict_self(int ruleset);
int cl_prctl(int operation, unsigned long argument);
int cl_prctl_get(int operation, int *value);
int cl_drop_groups(void);
int cl_drop_to_user(uid_t user);
int cl_is_user(uid_t user);
int cl_clear_ambient(void);
// Keeps what is held of these capabilities (a bit each, by the numbers of <linux/capability.h>), permitted and
// effective, and nothing inheritable.
int cl_keep_capabilities(uint64_t kept);
// The effective ones, a bit each; or -errno.
int64_t cl_effective_capabilities(void);
int cl_memfd_create(const char *name);
// Whether a file has an extended attribute whose value is "1": 1, or 0.
int cl_has_mark(const char *path, const char *attribute);
// A file of memory that can be executed and sealed, close-on-exec.
int cl_memfd_executable(const char *name);
// Seals it against writing, growing, shrinking, further seals and, where the kernel knows it (6.3), another mode.
int cl_seal(int file);
// execveat(2) of an open file, with argv {"module"} and the variables that keep a Swift program from looking for files
// it cannot have. Returns -errno, or not at all.
int cl_execute(int file);

// The supervisor's side of a listener (seccomp_unotify(2)).
int cl_notification_receive(int listener, struct seccomp_notif *notification);
int cl_notification_is_valid(int listener, uint64_t id);
int cl_notification_send(int listener, const struct seccomp_notif_resp *response);
// Puts a copy of `descriptor` into the caller as its lowest free one, close-on-exec if asked, as the call's result.
int cl_notification_answer_descriptor(int listener, uint64_t id, int descriptor, int close_on_exec);
