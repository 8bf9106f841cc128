// The smallest program there is to compare with: static, says one byte, ends.
#include <unistd.h>

int main(void) { return write(1, "F", 1) == 1 ? 0 : 1; }
