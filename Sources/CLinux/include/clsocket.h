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
// Two connected sockets that keep packets apart, closed on exec.
int cl_packet_pair(int ends[2]);
// Two connected sockets that carry bytes and do not block, closed on exec.
int cl_stream_pair(int ends[2]);
// Sends one packet, with copies of `count` descriptors (at most 2); never waits, never raises SIGPIPE. 0, or -errno.
int cl_packet_send(int socket, const void *bytes, size_t size, const int *descriptors, int count);
// Receives one packet without waiting; `descriptors` gets 2 numbers, closed on exec, each -1 where none came. Returns its
// size, 0 when the other end is closed, -EMSGSIZE for one that is longer than `size` or brings more descriptors.
ssize_t cl_packet_receive(int socket, void *bytes, size_t size, int *descriptors);
