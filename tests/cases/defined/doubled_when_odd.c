// property: termination
// truth: holds
// expect: proved
// options: --entry f
// What is doubled is even, so there is one round at most: there is no measure at the head of the loop,
// but none is needed at the start of its body.
unsigned f(unsigned n) {
  while (n % 2)
    n = n << 1;
  return n;
}
