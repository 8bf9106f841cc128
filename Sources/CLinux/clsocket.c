#define _GNU_SOURCE
#include "clsocket.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int done(long r) { return r < 0 ? -errno : (int)r; }

static int address(const char *path, struct sockaddr_un *a) {
  if (strlen(path) >= sizeof a->sun_path) return -ENAMETOOLONG;
  memset(a, 0, sizeof *a);
  a->sun_family = AF_UNIX;
  strcpy(a->sun_path, path);
  return 0;
}

int cl_unix_socket(mode_t mode) {
  int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (s < 0) return -errno;
  // bind(2) gives the file the mode of the socket's own inode.
  if (fchmod(s, mode)) {
    int r = -errno;
    close(s);
    return r;
  }
  return s;
}

int cl_unix_datagram_socket(void) { return done(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)); }

int cl_unix_send_to(int s, const char *path, const void *bytes, size_t count) {
  struct sockaddr_un a;
  int r = address(path, &a);
  if (r) return r;
  socklen_t size = sizeof a;
  if (path[0] == '@') {
    // An abstract name is as long as the address says, without a NUL at its end.
    a.sun_path[0] = 0;
    size = offsetof(struct sockaddr_un, sun_path) + strlen(path);
  }
  return done(sendto(s, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&a, size));
}

int cl_unix_bind(int s, const char *path) {
  struct sockaddr_un a;
  int r = address(path, &a);
  return r ? r : done(bind(s, (struct sockaddr *)&a, sizeof a));
}

int cl_unix_connect(int s, const char *path) {
  struct sockaddr_un a;
  int r = address(path, &a);
  return r ? r : done(connect(s, (struct sockaddr *)&a, sizeof a));
}

int cl_unix_accept(int s) { return done(accept4(s, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK)); }

int cl_unix_peer(int s, pid_t *process, uid_t *user, gid_t *group) {
  struct ucred c;
  socklen_t size = sizeof c;
  if (getsockopt(s, SOL_SOCKET, SO_PEERCRED, &c, &size)) return -errno;
  *process = c.pid;
  *user = c.uid;
  *group = c.gid;
  return 0;
}

int cl_unix_peer_groups(int s, gid_t *groups, unsigned capacity) {
  socklen_t size = capacity * sizeof *groups;
  if (getsockopt(s, SOL_SOCKET, SO_PEERGROUPS, groups, &size)) return -errno;
  return size / sizeof *groups;
}

int cl_packet_pair(int ends[2]) { return done(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)); }

int cl_stream_pair(int ends[2]) {
  return done(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends));
}

int cl_packet_send(int s, const void *bytes, size_t size, const int *descriptors, int count) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = size};
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))] = {0};
  struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
  if (count > 0) {
    m.msg_control = control;
    m.msg_controllen = CMSG_SPACE(count * sizeof(int));
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(c), descriptors, count * sizeof(int));
  }
  return sendmsg(s, &m, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno : 0;
}

ssize_t cl_packet_receive(int s, void *bytes, size_t size, int *descriptors) {
  struct iovec part = {.iov_base = bytes, .iov_len = size};
  // Room for two and no more: the kernel closes what has no room, and says so.
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))];
  struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  descriptors[0] = descriptors[1] = -1;
  ssize_t count = recvmsg(s, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (count < 0) return -errno;
  struct cmsghdr *c = CMSG_FIRSTHDR(&m);
  if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
    memcpy(descriptors, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
  if (!(m.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) return count;
  for (int i = 0; i < 2; i++)
    if (descriptors[i] >= 0) close(descriptors[i]);
  descriptors[0] = descriptors[1] = -1;
  return -EMSGSIZE;
}
