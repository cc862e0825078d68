// property: memsafety
// truth: holds
// expect: proved
// The models of the library have many numbers, none of which limits a field of the ring.
#include <stdio.h>
struct ring { int slots[8]; int first, n; };

static int put(struct ring *ring, int value) {
  if (ring->n == 8) return 0;
  ring->slots[(ring->first + ring->n) % 8] = value;
  ring->n++;
  return 1;
}

static int take(struct ring *ring, int *value) {
  if (ring->n == 0) return 0;
  *value = ring->slots[ring->first];
  ring->first = (ring->first + 1) % 8;
  ring->n--;
  return 1;
}

int main(void) {
  struct ring ring = {0};
  int value;
  while (scanf("%d", &value) == 1) {
    int oldest;
    if (!put(&ring, value)) {
      take(&ring, &oldest);
      put(&ring, value);
    }
  }
  while (take(&ring, &value)) printf("%d\n", value);
  return 0;
}
