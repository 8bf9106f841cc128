// The floors: what the kernel and C cost at the least for what forsetti-bench measures, with the same payloads,
// the same 24-byte header and the same windows. One measure a run, one line of JSON; every payload is checked.
#include "floors.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: floors MEASURE SECONDS\n"
    "  ping_pong      64 bytes over two blocking pipes, one at a time: us\n"
    "  slow_ping_pong what one in a hundred of them, a millisecond apart, takes longer than: us\n"
    "  storm          the same beside two hundred crashes a second, four at once: us\n"
    "  pipelined      framed echo of 64 bytes, 64 in flight, pipes: calls/s\n"
    "  bulk_64k       framed echo of 64 KiB, pipes: GB/s, payload counted once\n"
    "  bulk_1m        framed echo of 1 MiB, socket pair: GB/s\n"
    "  bulk_1m_pipe   the same over pipes: GB/s\n"
    "  fanout_N       64-byte events from one process to N others, pipes: deliveries/s\n"
    "  spawn          fork, exec of first-byte (beside this program), its byte: ms\n"
    "  spawn_bwrap    the same inside `bwrap --unshare-all`: ms\n"
    "  idle           memory of first-byte while it waits, ten at once: KiB (PSS)\n"
    "  calls_plain    a message written and read back, under the filter in the file FLOORS_FILTER if it is set: ns\n"
    "  calls_compared getrandom(2), whose flags a module's filter compares, likewise: ns\n"
    "FLOORS_CPUS=PARENT,CHILD in the environment keeps each on a CPU of its own\n"
    "PEERS_CORRUPT in the environment spoils answers on purpose; the run must then fail";

int main(int argc, char **argv) {
  if (argc != 3) fail("%s", usage);
  const char *measure = argv[1];
  double seconds = atof(argv[2]);
  if (!(seconds > 0.01 && seconds < 60)) fail("SECONDS: 0.01 to 60");
  corrupt = getenv("PEERS_CORRUPT") != NULL;
  signal(SIGPIPE, SIG_IGN);
  place(0);

  char program[PATH_MAX + sizeof "first-byte"] = "";
  ssize_t length = readlink("/proc/self/exe", program, PATH_MAX);
  char *slash = length > 0 ? strrchr(program, '/') : NULL;
  if (!slash) fail("/proc/self/exe can't be read");
  strcpy(slash + 1, "first-byte");

  if (!strcmp(measure, "ping_pong")) ping_pong(seconds);
  else if (!strcmp(measure, "slow_ping_pong")) slow_ping_pong(seconds);
  else if (!strcmp(measure, "storm")) storm(seconds, program);
  else if (!strcmp(measure, "pipelined")) pipelined(seconds);
  else if (!strcmp(measure, "bulk_64k")) bulk(seconds, 65536, 0);
  else if (!strcmp(measure, "bulk_1m")) bulk(seconds, LARGEST, 1);
  else if (!strcmp(measure, "bulk_1m_pipe")) bulk(seconds, LARGEST, 0);
  else if (!strncmp(measure, "fanout_", 7)) fan_out(seconds, atoi(measure + 7));
  else if (!strcmp(measure, "spawn")) spawn(seconds, program, 0);
  else if (!strcmp(measure, "spawn_bwrap")) spawn(seconds, program, 1);
  else if (!strcmp(measure, "idle")) idle(program);
  else if (!strcmp(measure, "calls_plain")) system_calls(seconds, 0);
  else if (!strcmp(measure, "calls_compared")) system_calls(seconds, 1);
  else fail("no measure %s\n%s", measure, usage);
  return 0;
}
