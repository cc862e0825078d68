// property: memsafety
// truth: holds
// expect: proved
// options: --entry put
// Both numbers are of the ring.
struct ring { int slots[16]; int first, n; };

int put(struct ring *ring, int value) {
  if (ring->n == 16) return 0;
  ring->slots[(ring->first + ring->n) % 16] = value;
  ring->n++;
  return 1;
}
