// A Forsetti module in C: no SDK, no library but libc, written from docs/protocol.md and docs/protocol.cddl.
//
// It counts how often it was started: on `start` it reads a number from its storage, writes the next one, publishes
// it as an event, and says that it is started. Then it waits for `stop`.
//
//     cc -static -O2 -Wall -Wextra -o module module.c

#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { IN = 3, OUT = 4, HEADER = 24, MOST_HEAD = 4096, MOST_BODY = 4096 + 1048576 };

// Kinds of frame, and what a call names.
enum { REFUSED = 3, DESCRIBE = 5, START = 7, STARTED = 8, START_FAILED = 9, STOP = 10, STOPPED = 11 };
enum { PING = 12, PONG = 13, IDENTIFY = 14 };
enum { LOG = 20, PUBLISH = 30, DELIVER = 31, DROPPED = 32, CALL = 40, REPLY = 41, FAILURE = 42, CANCEL = 43 };
enum { STORAGE = 2, SET = 1, VALUE = 2 };

// Exit codes of sysexits.h, as the supervisor's own modules use them.
enum { GONE = 69, FAULT = 70, PIPE = 74, PROTOCOL = 76, VERSION = 77 };

static _Noreturn void leave(int code, const char *why) {
  // A line on stderr is a line of this module's log.
  fprintf(stderr, "%s\n", why);
  exit(code);
}

// ---- CBOR, as far as this module needs it: RFC 8949, shortest forms, definite lengths ----

struct bytes {
  uint8_t data[4096];
  size_t size;
};

static void add(struct bytes *b, const void *data, size_t size) {
  if (size > sizeof b->data - b->size) leave(FAULT, "what it says is too long");
  memcpy(b->data + b->size, data, size);
  b->size += size;
}

static void add_head(struct bytes *b, uint8_t major, uint64_t value) {
  uint8_t h[9] = {(uint8_t)(major << 5)};
  int size = value < 24 ? 0 : value <= 0xff ? 1 : value <= 0xffff ? 2 : value <= 0xffffffff ? 4 : 8;
  h[0] |= size == 0 ? (uint8_t)value : size == 1 ? 24 : size == 2 ? 25 : size == 4 ? 26 : 27;
  for (int i = 0; i < size; i++) h[1 + i] = (uint8_t)(value >> (8 * (size - 1 - i)));
  add(b, h, 1 + (size_t)size);
}

static void add_unsigned(struct bytes *b, uint64_t value) { add_head(b, 0, value); }
static void add_array(struct bytes *b, uint64_t count) { add_head(b, 4, count); }
static void add_map(struct bytes *b, uint64_t count) { add_head(b, 5, count); }
static void add_bool(struct bytes *b, int value) { add(b, value ? "\xf5" : "\xf4", 1); }
static void add_null(struct bytes *b) { add(b, "\xf6", 1); }

static void add_text(struct bytes *b, const char *text) {
  add_head(b, 3, strlen(text));
  add(b, text, strlen(text));
}

struct reader {
  const uint8_t *at, *end;
};

// The head of one item; its argument.
static uint64_t take_head(struct reader *r, uint8_t *major) {
  if (r->at == r->end) leave(PROTOCOL, "an item is missing");
  uint8_t first = *r->at++;
  *major = first >> 5;
  uint8_t info = first & 31;
  if (info < 24) return info;
  if (info > 27) leave(PROTOCOL, "an indefinite length");
  int size = 1 << (info - 24);
  if (r->end - r->at < size) leave(PROTOCOL, "an item that ends early");
  uint64_t value = 0;
  while (size--) value = value << 8 | *r->at++;
  return value;
}

static uint64_t take(struct reader *r, uint8_t wanted) {
  uint8_t major;
  uint64_t value = take_head(r, &major);
  if (major != wanted) leave(PROTOCOL, "an item of another type");
  return value;
}

// A text of at most 32 bytes, which every key here is.
static void take_text(struct reader *r, char text[33]) {
  uint64_t size = take(r, 3);
  if (size > 32 || size > (uint64_t)(r->end - r->at)) leave(PROTOCOL, "a text that is too long");
  memcpy(text, r->at, size);
  text[size] = 0;
  r->at += size;
}

// ---- Frames ----

struct frame {
  uint8_t kind;
  uint64_t call;
  uint16_t head_size;
  uint32_t size;
  uint8_t *body;
};

static void little(uint8_t *to, uint64_t value, int size) {
  for (int i = 0; i < size; i++) to[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t from_little(const uint8_t *from, int size) {
  uint64_t value = 0;
  while (size--) value = value << 8 | from[size];
  return value;
}

// Reads so many bytes. Both pipes are non-blocking: where there is nothing yet, wait.
static void take_bytes(uint8_t *to, size_t size) {
  while (size) {
    ssize_t got = read(IN, to, size);
    if (got == 0) exit(GONE);
    if (got > 0) {
      to += got;
      size -= (size_t)got;
      continue;
    }
    if (errno == EAGAIN) {
      struct pollfd in = {.fd = IN, .events = POLLIN};
      // poll(2) is not among a module's calls; ppoll(2) is.
      ppoll(&in, 1, NULL, NULL);
    } else if (errno != EINTR) {
      exit(PIPE);
    }
  }
}

static uint8_t body[MOST_BODY];

static struct frame take_frame(void) {
  uint8_t h[HEADER];
  take_bytes(h, HEADER);
  struct frame f = {.kind = h[4], .call = from_little(h + 8, 8), .head_size = (uint16_t)from_little(h + 6, 2),
                    .size = (uint32_t)from_little(h, 4), .body = body};
  // The header is checked whole before its body is read.
  if (f.size > MOST_BODY || f.head_size > MOST_HEAD || f.head_size > f.size || h[5] || from_little(h + 20, 4))
    leave(PROTOCOL, "a frame that is none");
  take_bytes(body, f.size);
  return f;
}

static void send_bytes(const uint8_t *from, size_t size) {
  while (size) {
    ssize_t put = write(OUT, from, size);
    if (put > 0) {
      from += put;
      size -= (size_t)put;
    } else if (put < 0 && errno == EAGAIN) {
      // What this module sends is far smaller than what waits unread before it, so it need not read meanwhile.
      struct pollfd out = {.fd = OUT, .events = POLLOUT};
      ppoll(&out, 1, NULL, NULL);
    } else if (put < 0 && errno != EINTR) {
      exit(errno == EPIPE ? GONE : PIPE);
    }
  }
}

static void send_frame(uint8_t kind, uint64_t call, const struct bytes *head, const struct bytes *payload) {
  uint8_t h[HEADER] = {0};
  size_t head_size = head ? head->size : 0, payload_size = payload ? payload->size : 0;
  little(h, head_size + payload_size, 4);
  h[4] = kind;
  little(h + 6, head_size, 2);
  little(h + 8, call, 8);
  send_bytes(h, HEADER);
  if (head) send_bytes(head->data, head_size);
  if (payload) send_bytes(payload->data, payload_size);
}

// ---- What it is: the manifest once more, word for word ----

static void add_version(struct bytes *b, unsigned major, unsigned minor, unsigned patch) {
  add_map(b, 3);
  add_text(b, "major"), add_unsigned(b, major);
  add_text(b, "minor"), add_unsigned(b, minor);
  add_text(b, "patch"), add_unsigned(b, patch);
}

static void add_requirements(struct bytes *b) {
  add_map(b, 2);
  add_text(b, "io"), add_array(b, 1), add_map(b, 4);
  add_text(b, "kind"), add_text(b, "storage");
  add_text(b, "access"), add_text(b, "read_write");
  add_text(b, "required"), add_bool(b, 1);
  add_text(b, "requirementID"), add_text(b, "starts");
  add_text(b, "dataIsolation"), add_map(b, 3);
  add_text(b, "mode"), add_text(b, "private_to_module");
  add_text(b, "ownedStoreIDs"), add_array(b, 0);
  add_text(b, "requiredDefaultRoles"), add_array(b, 0);
}

// Keys ascend by their encodings: shorter first, then by bytes.
static void add_manifest(struct bytes *b) {
  add_map(b, 11);
  add_text(b, "moduleID"), add_text(b, "com.example.c-module");
  add_text(b, "entryPoint"), add_text(b, "main");
  add_text(b, "moduleType"), add_text(b, "service");
  add_text(b, "displayName"), add_text(b, "C Module");
  add_text(b, "moduleVersion"), add_version(b, 1, 0, 0);
  add_text(b, "schemaVersion"), add_text(b, "1.1");
  add_text(b, "minForsettiVersion"), add_version(b, 0, 2, 0);
  add_text(b, "supportedPlatforms"), add_array(b, 1), add_text(b, "Linux");
  add_text(b, "runtimeRequirements"), add_requirements(b);
  add_text(b, "capabilitiesRequested"), add_array(b, 1), add_text(b, "storage");
  add_text(b, "manifestTemplateVersion"), add_text(b, "1.1");
}

static void describe(void) {
  struct bytes head = {.size = 0}, payload = {.size = 0};
  add_map(&head, 2);
  add_text(&head, "version"), add_unsigned(&head, 1);
  add_text(&head, "isUIModule"), add_bool(&head, 0);
  add_map(&payload, 2);
  add_text(&payload, "manifest"), add_manifest(&payload);
  add_text(&payload, "descriptor"), add_map(&payload, 4);
  add_text(&payload, "moduleID"), add_text(&payload, "com.example.c-module");
  add_text(&payload, "moduleType"), add_text(&payload, "service");
  add_text(&payload, "displayName"), add_text(&payload, "C Module");
  add_text(&payload, "moduleVersion"), add_version(&payload, 1, 0, 0);
  send_frame(DESCRIBE, 0, &head, &payload);
}

// ---- The conversation ----

// `identify` offers a range of versions; this speaks version 1.
static void choose_version(const struct frame *f) {
  struct reader r = {f->body, f->body + f->head_size};
  char key[33];
  if (take(&r, 5) != 1) leave(PROTOCOL, "an identify that is none");
  take_text(&r, key);
  if (strcmp(key, "versions") || take(&r, 4) != 2) leave(PROTOCOL, "an identify without versions");
  uint64_t lowest = take(&r, 0), highest = take(&r, 0);
  if (lowest <= 1 && highest >= 1) return;
  struct bytes head = {.size = 0};
  add_map(&head, 1);
  add_text(&head, "versions"), add_array(&head, 2), add_unsigned(&head, 1), add_unsigned(&head, 1);
  send_frame(REFUSED, 0, &head, NULL);
  leave(VERSION, "it speaks protocol version 1 alone");
}

static int is_stopping;

// Calls a method of the storage service and waits for its answer. 0 for a reply, which stays in `body`.
static int call(uint8_t method, const struct bytes *request, struct frame *answer) {
  static uint64_t last;
  struct bytes head = {.size = 0};
  add_map(&head, 2);
  add_unsigned(&head, 0), add_unsigned(&head, STORAGE);
  add_unsigned(&head, 1), add_unsigned(&head, method);
  send_frame(CALL, ++last, &head, request);
  for (;;) {
    *answer = take_frame();
    if (answer->kind == STOP) is_stopping = 1;
    if (answer->kind == PING) send_frame(PONG, 0, NULL, NULL);
    if ((answer->kind == REPLY || answer->kind == FAILURE) && answer->call == last) return answer->kind == FAILURE;
  }
}

static void start_failed(const char *reason) {
  struct bytes payload = {.size = 0};
  add_map(&payload, 1);
  add_text(&payload, "reason"), add_text(&payload, reason);
  send_frame(START_FAILED, 0, NULL, &payload);
  leave(FAULT, reason);
}

static unsigned long starts_so_far(void) {
  struct bytes request = {.size = 0};
  struct frame answer;
  // key-request = [store: optional-text, key: text4k]
  add_array(&request, 2), add_null(&request), add_text(&request, "starts");
  if (call(VALUE, &request, &answer)) start_failed("storage does not answer");
  struct reader r = {answer.body, answer.body + answer.size};
  if (answer.size == 1 && answer.body[0] == 0xf6) return 0;
  char text[33];
  take_text(&r, text);
  return strtoul(text, NULL, 10);
}

static void start(void) {
  char count[24];
  snprintf(count, sizeof count, "%lu", starts_so_far() + 1);
  struct bytes request = {.size = 0}, head = {.size = 0}, payload = {.size = 0};
  struct frame answer;
  // set-request = [store: optional-text, key: text4k, value: tstr]
  add_array(&request, 3), add_null(&request), add_text(&request, "starts"), add_text(&request, count);
  if (call(SET, &request, &answer)) start_failed("storage does not take the count");
  add_map(&head, 1), add_unsigned(&head, 0), add_text(&head, "com.example.c-module.started");
  add_map(&payload, 1), add_text(&payload, "starts"), add_text(&payload, count);
  send_frame(PUBLISH, 0, &head, &payload);
  printf("started %s times\n", count);
  fflush(stdout);
  send_frame(STARTED, 0, NULL, NULL);
}

int main(void) {
  // The exec made this process readable to others of its user; the supervisor lets this through, once.
  prctl(PR_SET_DUMPABLE, 0);
  struct frame f = take_frame();
  if (f.kind != IDENTIFY) leave(PROTOCOL, "the first frame is no identify");
  choose_version(&f);
  describe();
  f = take_frame();
  if (f.kind != START) leave(PROTOCOL, "the second frame is no start");
  start();
  while (!is_stopping) {
    f = take_frame();
    is_stopping = f.kind == STOP;
    // A module that doesn't answer is taken for one that hangs.
    if (f.kind == PING) send_frame(PONG, 0, NULL, NULL);
  }
  send_frame(STOPPED, 0, NULL, NULL);
  return 0;
}
