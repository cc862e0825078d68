// property: memsafety
// truth: fails
// expect: refuted
// A text that fills its place has no end, nor has its copy.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
struct token { char text[4]; };

static struct token next(void) {
  struct token token = {""};
  unsigned length = 0;
  while (__VERIFIER_nondet_int())
    if (length < sizeof token.text) token.text[length++] = 'a';
  return token;
}

int main(void) {
  struct token token = next(), copy = token;
  puts(copy.text);
  return 0;
}
