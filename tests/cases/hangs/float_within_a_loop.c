// property: termination
// truth: holds
// expect: unknown(W030)
// Whether the loop goes on is said by the number that the float becomes.
int main(void) {
  double gain = 1.5;
  int level = gain * 100, n = 1;
  while (n > 0 && level < 100) n ^= 2;
  return level;
}
