// Unix sockets and who is at their other end (unix(7)). Each call returns its result, or -errno.
#pragma once
#include <sys/types.h>

// A socket that never blocks and is closed on exec; its file will have `mode`, less the umask.
int cl_unix_socket(mode_t mode);
// One for datagrams, alike.
int cl_unix_datagram_socket(void);
// Sends one datagram to a path, or to an abstract name that begins with '@'; never waits, never raises SIGPIPE.
int cl_unix_send_to(int socket, const char *path, const void *bytes, size_t count);
int cl_unix_bind(int socket, const char *path);
int cl_unix_connect(int socket, const char *path);
// The next connection, like the socket above; -EAGAIN when none waits.
int cl_unix_accept(int listener);
// Process, user and group of whoever connected, as they were then.
int cl_unix_peer(int socket, pid_t *process, uid_t *user, gid_t *group);
// Its supplementary groups: how many there are, at most `capacity`; -ERANGE when there are more.
int cl_unix_peer_groups(int socket, gid_t *groups, unsigned capacity);
