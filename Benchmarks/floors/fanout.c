// Events from one process straight to N others, both ends C: framed, batched, every delivery checked, and each
// batch acknowledged by every subscriber before the next.
#include "floors.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 64, BATCH = 500, MOST = 256 };
static const uint64_t WARM_UP = 50000000;

static int acknowledge[2];

static void subscriber(int in, int out) {
  (void)out;
  uint8_t *bytes = malloc(BUFFER), expected[SIZE];
  size_t filled = 0;
  uint64_t sequence = 0;
  if (!bytes) _exit(1);
  fill(expected, SIZE);
  for (;;) {
    ssize_t count = read(in, bytes + filled, BUFFER - filled);
    if (count <= 0) return;
    filled += (size_t)count;
    size_t offset = 0;
    for (Head head; filled - offset >= sizeof head + SIZE; offset += sizeof head + SIZE) {
      memcpy(&head, bytes + offset, sizeof head);
      number(expected, SIZE, ++sequence);
      int right = head.kind == EVENT && head.length == SIZE && !memcmp(bytes + offset + sizeof head, expected, SIZE);
      if (!right || sequence % BATCH == 0) write_all(acknowledge[1], right ? "B" : "W", 1);
      if (!right) return;
    }
    memmove(bytes, bytes + offset, filled - offset);
    filled -= offset;
  }
}

void fan_out(double seconds, int subscribers) {
  if (subscribers < 1 || subscribers > MOST) fail("1 to %d subscribers", MOST);
  if (pipe(acknowledge)) fail("pipe: %s", strerror(errno));
  Peer peers[MOST];
  for (int i = 0; i < subscribers; i++) peers[i] = start(subscriber, 0, 1);
  static uint8_t batch[BATCH][sizeof(Head) + SIZE];
  uint8_t pattern[SIZE];
  fill(pattern, SIZE);
  Samples samples = {0};
  uint64_t sequence = 0, warm = now_ns() + WARM_UP, end = warm + (uint64_t)(seconds * 1e9), after = 0;
  while (after < end || samples.count < 5) {
    uint64_t before = now_ns();
    for (int i = 0; i < BATCH; i++) {
      Head head = {.length = SIZE, .kind = EVENT};
      memcpy(batch[i], &head, sizeof head);
      memcpy(batch[i] + sizeof head, pattern, SIZE);
      number(batch[i] + sizeof head, SIZE, ++sequence);
      if (corrupt && sequence == 10) batch[i][sizeof head + 32] ^= 1;
    }
    for (int i = 0; i < subscribers; i++) write_all(peers[i].to, batch, sizeof batch);
    for (int i = 0; i < subscribers; i++) {
      char said = 0;
      if (read(acknowledge[0], &said, 1) != 1 || said != 'B') fail("wrong payload at a subscriber");
    }
    after = now_ns();
    if (before >= warm) add(&samples, (double)subscribers * BATCH * 1e9 / (double)(after - before));
  }
  report(&samples, 1, 0);
}
