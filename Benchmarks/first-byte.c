// The smallest program there is to compare with: static, says one byte, ends; with an argument it waits first, until
// its input is closed, or crashes, if that is what it says.
#include <signal.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char byte;
  if (argc > 1 && !strcmp(argv[1], "crash")) return raise(SIGSEGV);
  if (write(1, "F", 1) != 1) return 1;
  return argc > 1 ? (int)read(0, &byte, 1) : 0;
}
