// What the floors share: clock, samples, payloads and their check, one line of result.
#ifndef FORSETTI_FLOORS_H
#define FORSETTI_FLOORS_H
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The header of ours, field for field (docs/protocol.md).
typedef struct {
  uint32_t length;
  uint8_t kind, flags;
  uint16_t head_length;
  uint64_t call_id;
  uint32_t timeout, reserved;
} Head;
_Static_assert(sizeof(Head) == 24, "the header is 24 bytes");

enum { CALL = 40, REPLY = 41, EVENT = 31, LARGEST = 1 << 20, BUFFER = (2 << 20) + 65536 };

typedef struct {
  double *values;
  size_t count, capacity;
} Samples;

// Whether answers are spoiled on purpose, to see that they are checked.
extern int corrupt;

__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);
uint64_t now_ns(void);
void add(Samples *samples, double value);
// The median, the value that one in a hundred is worse than (`high` says in which direction), and how many.
void report(Samples *samples, double scale, int high_is_bad);
// What one in a hundred is more than, as the figure itself.
void report_slow(Samples *samples, double scale);

// A pattern with a sequence number first and last; whoever answers inverts byte 8.
void fill(uint8_t *payload, size_t size);
void number(uint8_t *payload, size_t size, uint64_t sequence);
void answer(uint8_t *payload, size_t size);

void write_all(int descriptor, const void *bytes, size_t size);
// 0 at the end of input before the first byte.
int read_all(int descriptor, void *bytes, size_t size);
// Keeps the caller on its CPU, where FLOORS_CPUS=PARENT,CHILD says so.
void place(int is_child);
// A child that dies with its parent.
pid_t fork_child(void);

// Two ways between a parent and a child; `sockets` for a socket pair of which both are one.
typedef struct {
  int to, from;
  pid_t child;
} Peer;
Peer start(void (*body)(int in, int out), int sockets, int large);

void ping_pong(double seconds);
void slow_ping_pong(double seconds);
void storm(double seconds, char *program);
void pipelined(double seconds);
void bulk(double seconds, size_t size, int sockets);
void fan_out(double seconds, int subscribers);
void spawn(double seconds, char *program, int in_bwrap);
void idle(char *program);
// `compared` for a call whose arguments the filter compares.
void system_calls(double seconds, int compared);

#endif
