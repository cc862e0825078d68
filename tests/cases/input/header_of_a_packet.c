// property: termination
// truth: fails
// expect: refuted
// A part of length zero is never left behind.
#include <stdio.h>
int main(void) {
  unsigned char packet[48] = {0};
  if (fread(packet, 1, sizeof packet, stdin) < 16)
    return 1;
  unsigned left = (packet[0] >> 4) * 2;
  const unsigned char *part = packet + 16;
  while (left > 0) {
    if (part[0] == 0)
      break;
    unsigned length = part[1];
    if (length > left)
      return 1;
    part += length;
    left -= length;
  }
  return 0;
}
