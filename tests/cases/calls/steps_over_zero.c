// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry send
// Of an odd size two at a time never leave nothing.
struct message {
  unsigned size;
};

void send(struct message *message) {
  unsigned left = message->size;
  while (left != 0) left -= 2;
}
