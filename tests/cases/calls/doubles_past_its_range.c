// property: termination
// truth: fails
// expect: refuted
// options: --entry room_for
// A capacity that has come round to 0 stays 0.
unsigned long room_for(unsigned long wanted, unsigned long capacity) {
  if (capacity == 0) capacity = 1;
  while (capacity < wanted) capacity *= 2;
  return capacity;
}
