#pragma once
#include <microhttpd.h>

// What a request goes through, in this order; `context` comes to all of them.
struct cmicrohttpd_callbacks {
  void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_AccessHandlerCallback go_on;
  MHD_RequestCompletedCallback end;
  MHD_NotifyConnectionCallback connection;
};

// A variadic function, which Swift can't import. The daemon has a thread for each connection, listens nowhere and is
// handed its connections. It waits in poll(2): select(2) knows no descriptor above 1,023. It leaves escapes in targets as
// they are.
static size_t cmicrohttpd_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void)context, (void)connection;
  return __builtin_strlen(text);
}
static inline struct MHD_Daemon *cmicrohttpd_start(struct cmicrohttpd_callbacks callbacks, void *context,
                                                   size_t memory, unsigned idle_seconds, unsigned connections) {
  return MHD_start_daemon(
      MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC, 0, 0, 0,
      callbacks.go_on, context, MHD_OPTION_URI_LOG_CALLBACK, callbacks.begin, context, MHD_OPTION_NOTIFY_COMPLETED,
      callbacks.end, context, MHD_OPTION_NOTIFY_CONNECTION, callbacks.connection, context,
      MHD_OPTION_UNESCAPE_CALLBACK, cmicrohttpd_keep_escapes, (void *)0, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_THREAD_STACK_SIZE, (size_t)1 << 20, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}
// The socket of a connection.
static inline int cmicrohttpd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
// Bytes of the line and headers of a request whose headers have come; of others none can be told.
static inline size_t cmicrohttpd_head_bytes(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : SIZE_MAX;
}
// POLLRDHUP, which <poll.h> keeps to itself where nobody asks for it: the other end is closed, or its half.
static const short cmicrohttpd_peer_closed = 0x2000;
// A macro of a value that Swift can't read.
static const uint64_t cmicrohttpd_size_unknown = MHD_SIZE_UNKNOWN;
