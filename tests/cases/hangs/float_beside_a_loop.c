// property: termination
// truth: fails
// expect: refuted
// The number that the float becomes is one that the loop never looks at.
int main(void) {
  double gain = 1.5;
  int level = gain * 100, n = 1;
  while (n > 0) n ^= 2;
  return level;
}
