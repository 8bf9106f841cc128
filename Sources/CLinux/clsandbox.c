#define _GNU_SOURCE
#include "clsandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

static int done(long r) { return r < 0 ? -errno : (int)r; }

int cl_landlock_create_ruleset(const struct cl_landlock_attributes *attributes) {
  return done(syscall(SYS_landlock_create_ruleset, attributes, sizeof *attributes, 0));
}

int cl_landlock_allow_beneath(int ruleset, int place, uint64_t rights) {
  struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = place};
  return done(syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0));
}

int cl_landlock_restrict_self(int ruleset) { return done(syscall(SYS_landlock_restrict_self, ruleset, 0)); }

int cl_prctl(int operation, unsigned long argument) { return done(prctl(operation, argument, 0UL, 0UL, 0UL)); }

int cl_prctl_get(int operation, int *value) { return done(prctl(operation, value, 0UL, 0UL, 0UL)); }

int cl_drop_groups(void) { return done(setgroups(0, NULL)); }

int cl_drop_to_user(uid_t user) {
  int r = done(setresgid(user, user, user));
  return r < 0 ? r : done(setresuid(user, user, user));
}

int cl_is_user(uid_t user) {
  uid_t u[3];
  gid_t g[3];
  if (getresuid(&u[0], &u[1], &u[2]) < 0 || getresgid(&g[0], &g[1], &g[2]) < 0) return 0;
  for (int i = 0; i < 3; i++)
    if (u[i] != user || g[i] != user) return 0;
  return getgroups(0, NULL) == 0;
}

static long get_capabilities(struct __user_cap_data_struct held[_LINUX_CAPABILITY_U32S_3]) {
  struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  return syscall(SYS_capget, &head, held);
}

int cl_keep_capabilities(uint64_t kept) {
  struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  if (get_capabilities(sets) < 0) return -errno;
  for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
    sets[i].permitted &= (uint32_t)(kept >> (32 * i));
    sets[i].effective = sets[i].permitted;
    sets[i].inheritable = 0;
  }
  return done(syscall(SYS_capset, &head, sets));
}

int64_t cl_effective_capabilities(void) {
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  if (get_capabilities(sets) < 0) return -errno;
  return (int64_t)((uint64_t)sets[1].effective << 32 | sets[0].effective);
}

int cl_memfd_create(const char *name) { return done(memfd_create(name, MFD_CLOEXEC)); }

// Of Linux 6.3; Debian 12's headers do not have them.
#ifndef MFD_EXEC
#define MFD_EXEC 0x10U
#endif
#ifndef F_SEAL_EXEC
#define F_SEAL_EXEC 0x20
#endif

int cl_memfd_executable(const char *name) {
  int file = done(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC));
  return file == -EINVAL ? done(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING)) : file;
}

int cl_seal(int file) {
  int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
  int r = done(fcntl(file, F_ADD_SEALS, seals | F_SEAL_EXEC));
  return r == -EINVAL ? done(fcntl(file, F_ADD_SEALS, seals)) : r;
}

int cl_execute(int file) {
  char *argv[] = {"module", 0};
  // With less, the runtime's start looks for its backtracer in ten places and asks what stdout is.
  char *environment[] = {
      "SWIFT_BACKTRACE=enable=no,color=no,interactive=no,swift-backtrace=/nonexistent", "SWIFT_ROOT=/", 0};
  return done(syscall(SYS_execveat, file, "", argv, environment, AT_EMPTY_PATH));
}

int cl_notification_receive(int listener, struct seccomp_notif *notification) {
  // The kernel refuses a struct that isn't all zero.
  memset(notification, 0, sizeof *notification);
  return done(ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, notification));
}

int cl_notification_is_valid(int listener, uint64_t id) {
  return done(ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id));
}

int cl_notification_send(int listener, const struct seccomp_notif_resp *response) {
  struct seccomp_notif_resp copy = *response;
  return done(ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &copy));
}

int cl_notification_answer_descriptor(int listener, uint64_t id, int descriptor, int close_on_exec) {
  struct seccomp_notif_addfd add = {
      .id = id,
      .flags = SECCOMP_ADDFD_FLAG_SEND,
      .srcfd = (uint32_t)descriptor,
      .newfd_flags = close_on_exec ? O_CLOEXEC : 0,
  };
  return done(ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add));
}

int cl_clear_ambient(void) { return done(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0UL, 0UL, 0UL)); }

int cl_has_mark(const char *path, const char *attribute) {
  char value[2];
  return getxattr(path, attribute, value, sizeof value) == 1 && value[0] == '1';
}
