// A module that takes more than it may: Examples/c-module, which this file is compiled with under another ID, and after its
// start one greed, GREED: MEMORY touches a mebibyte every 20 ms, but not before its second start, PROCESSOR never rests, THREADS
// makes threads until it is refused one, and says on stderr how many it has.

#define main modest
#include "module.c"
#undef main

#include <pthread.h>
#include <time.h>

#define MEMORY 1
#define PROCESSOR 2
#define THREADS 3

// Waits so long for a frame, and answers it; never waits where it is not to rest.
static void rest(long milliseconds) {
  struct pollfd in = {.fd = IN, .events = POLLIN};
  struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};
  if (ppoll(&in, 1, milliseconds < 0 ? NULL : &time, NULL) <= 0) return;
  struct frame f = take_frame();
  if (f.kind == PING) send_frame(PONG, 0, NULL, NULL);
  if (f.kind == STOP) is_stopping = 1;
}

#if GREED == MEMORY
static void want_more(void) {
  enum { MEBIBYTE = 1 << 20 };
  static unsigned long starts;
  if (!starts) starts = starts_so_far();
  if (starts == 1) {
    rest(-1);
    return;
  }
  // volatile: else the compiler sees that nobody reads it, and takes nothing.
  volatile char *more = malloc(MEBIBYTE);
  if (!more) leave(FAULT, "malloc refused it memory");
  for (int i = 0; i < MEBIBYTE; i += 4096) more[i] = 1;
  rest(20);
}
#elif GREED == PROCESSOR
static void want_more(void) {
  for (volatile int i = 0; i < 1000000; i++) continue;
  rest(0);
}
#elif GREED == THREADS
static void *wait_for_ever(void *unused) {
  for (;;) ppoll(NULL, 0, NULL, NULL);
  return unused;
}

static void want_more(void) {
  static int count = 1, is_refused;
  pthread_attr_t small;
  pthread_t thread;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  while (!is_refused) {
    int error = pthread_create(&thread, &small, wait_for_ever, NULL);
    is_refused = error != 0;
    if (is_refused) fprintf(stderr, "has %d threads: errno %d\n", count, error);
    count++;
  }
  rest(-1);
}
#endif

int main(void) {
  prctl(PR_SET_DUMPABLE, 0);
  struct frame f = take_frame();
  if (f.kind != IDENTIFY) leave(PROTOCOL, "the first frame is no identify");
  choose_version(&f);
  describe();
  f = take_frame();
  if (f.kind != START) leave(PROTOCOL, "the second frame is no start");
  start();
  while (!is_stopping) want_more();
  send_frame(STOPPED, 0, NULL, NULL);
  // Not exit(3): the other threads wait for ever.
  _exit(0);
}
