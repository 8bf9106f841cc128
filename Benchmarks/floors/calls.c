// Calls, both ends C: raw blocking ping-pong, and framed echo with a window.
#include "floors.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 64, WINDOW = 64 };
static const uint64_t WARM_UP = 50000000, SLICE = 20000000;

// MARK: Raw: 64 bytes there, 64 bytes back, nothing else

static void raw_echo(int in, int out) {
  uint8_t bytes[SIZE];
  while (read_all(in, bytes, SIZE)) {
    answer(bytes, SIZE);
    write_all(out, bytes, SIZE);
  }
}

// `pause`: nanoseconds to sleep between two.
static Samples exchange(double seconds, long pause) {
  Peer peer = start(raw_echo, 0, 0);
  uint8_t request[SIZE], expected[SIZE], got[SIZE];
  fill(request, SIZE);
  fill(expected, SIZE);
  expected[8] ^= 0xFF;
  Samples samples = {0};
  uint64_t warm = now_ns() + WARM_UP, end = warm + (uint64_t)(seconds * 1e9), after = 0;
  for (uint64_t sequence = 1; after < end; sequence++) {
    number(request, SIZE, sequence);
    number(expected, SIZE, sequence);
    uint64_t before = now_ns();
    write_all(peer.to, request, SIZE);
    if (!read_all(peer.from, got, SIZE)) fail("no answer");
    after = now_ns();
    if (memcmp(got, expected, SIZE)) fail("wrong payload in answer %llu", (unsigned long long)sequence);
    if (before >= warm) add(&samples, (double)(after - before));
    if (pause) nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
  }
  return samples;
}

void ping_pong(double seconds) {
  Samples samples = exchange(seconds, 0);
  report(&samples, 1e-3, 1);
}

// A millisecond apart: whoever calls on and on makes a thousand calls for one that meets a crash.
void slow_ping_pong(double seconds) {
  Samples samples = exchange(seconds < 1 ? 1 : seconds, 1000000);
  report_slow(&samples, 1e-3);
}

// MARK: Framed: 24-byte header and payload; one read takes all that is there, one write answers it

static void framed_echo(int in, int out) {
  uint8_t *bytes = malloc(BUFFER);
  size_t filled = 0;
  if (!bytes) _exit(1);
  for (;;) {
    ssize_t count = read(in, bytes + filled, BUFFER - filled);
    if (count <= 0) return;
    filled += (size_t)count;
    size_t offset = 0;
    Head head;
    while (filled - offset >= sizeof head) {
      memcpy(&head, bytes + offset, sizeof head);
      if (head.length > LARGEST || head.kind != CALL) fail("the echo got a malformed frame");
      if (filled - offset < sizeof head + head.length) break;
      answer(bytes + offset + sizeof head, head.length);
      ((Head *)(void *)(bytes + offset))->kind = REPLY;
      offset += sizeof head + head.length;
    }
    if (offset) write_all(out, bytes, offset);
    memmove(bytes, bytes + offset, filled - offset);
    filled -= offset;
  }
}

// What has been read of the answers.
typedef struct {
  int descriptor;
  uint8_t *bytes;
  size_t filled, offset;
} Answers;

// The next whole answer that has been read; NULL when more must be read.
static const uint8_t *next(Answers *answers, Head *head) {
  size_t there = answers->filled - answers->offset;
  if (there < sizeof *head) return NULL;
  memcpy(head, answers->bytes + answers->offset, sizeof *head);
  if (head->length > LARGEST || head->kind != REPLY) fail("malformed answer");
  if (there < sizeof *head + head->length) return NULL;
  const uint8_t *payload = answers->bytes + answers->offset + sizeof *head;
  answers->offset += sizeof *head + head->length;
  return payload;
}

static void read_more(Answers *answers) {
  memmove(answers->bytes, answers->bytes + answers->offset, answers->filled - answers->offset);
  answers->filled -= answers->offset;
  answers->offset = 0;
  ssize_t count = read(answers->descriptor, answers->bytes + answers->filled, BUFFER - answers->filled);
  if (count <= 0) fail("read: %s", count ? strerror(errno) : "the echo is gone");
  answers->filled += (size_t)count;
}

static Answers answers_of(Peer peer) {
  Answers answers = {peer.from, malloc(BUFFER), 0, 0};
  if (!answers.bytes) fail("out of memory");
  return answers;
}

void bulk(double seconds, size_t size, int sockets) {
  Peer peer = start(framed_echo, sockets, 1);
  Answers answers = answers_of(peer);
  uint8_t *request = malloc(size), *expected = malloc(size);
  if (!request || !expected) fail("out of memory");
  fill(request, size);
  fill(expected, size);
  expected[8] ^= 0xFF;
  Samples samples = {0};
  uint64_t warm = now_ns() + WARM_UP, end = warm + (uint64_t)(seconds * 1e9), after = 0;
  for (uint64_t sequence = 1; after < end; sequence++) {
    number(request, size, sequence);
    number(expected, size, sequence);
    Head head = {.length = (uint32_t)size, .kind = CALL, .call_id = sequence}, got;
    struct iovec parts[2] = {{&head, sizeof head}, {request, size}};
    uint64_t before = now_ns();
    ssize_t sent = writev(peer.to, parts, 2);
    if (sent < (ssize_t)sizeof head) fail("writev: %s", strerror(errno));
    size_t done = (size_t)sent - sizeof head;
    write_all(peer.to, request + done, size - done);
    const uint8_t *payload;
    while (!(payload = next(&answers, &got))) read_more(&answers);
    after = now_ns();
    if (got.call_id != sequence || got.length != size) fail("an answer to another call");
    if (memcmp(payload, expected, size)) fail("wrong payload in answer %llu", (unsigned long long)sequence);
    if (before >= warm) add(&samples, (double)size / (double)(after - before));
  }
  report(&samples, 1, 0);
}

void pipelined(double seconds) {
  Peer peer = start(framed_echo, 0, 1);
  Answers answers = answers_of(peer);
  static uint8_t out[WINDOW * (sizeof(Head) + SIZE)];
  uint8_t pattern[SIZE], expected[SIZE];
  uint64_t open[WINDOW] = {0};
  fill(pattern, SIZE);
  fill(expected, SIZE);
  expected[8] ^= 0xFF;
  Samples samples = {0};
  uint64_t sequence = 0, done = 0, mark = 0, marked = now_ns();
  uint64_t warm = marked + WARM_UP, end = warm + (uint64_t)(seconds * 1e9);
  size_t queued = 0;
  for (int slot = 0; slot < WINDOW; slot++) open[slot] = UINT64_MAX;
  while (marked < end) {
    for (int slot = 0; slot < WINDOW && queued < sizeof out; slot++) {
      if (open[slot] != UINT64_MAX) continue;
      open[slot] = ++sequence * WINDOW + (uint64_t)slot;
      Head head = {.length = SIZE, .kind = CALL, .call_id = open[slot]};
      memcpy(out + queued, &head, sizeof head);
      memcpy(out + queued + sizeof head, pattern, SIZE);
      number(out + queued + sizeof head, SIZE, open[slot]);
      queued += sizeof head + SIZE;
    }
    if (queued) write_all(peer.to, out, queued);
    queued = 0;
    read_more(&answers);
    Head head;
    for (const uint8_t *payload; (payload = next(&answers, &head)); done++) {
      uint64_t *slot = &open[head.call_id % WINDOW];
      if (*slot != head.call_id || head.length != SIZE) fail("an answer that nobody waits for");
      number(expected, SIZE, head.call_id);
      if (memcmp(payload, expected, SIZE)) fail("wrong payload in a pipelined answer");
      *slot = UINT64_MAX;
    }
    uint64_t now = now_ns();
    if (now - marked < SLICE) continue;
    if (marked >= warm) add(&samples, (double)(done - mark) * 1e9 / (double)(now - marked));
    mark = done;
    marked = now;
  }
  report(&samples, 1, 0);
}
