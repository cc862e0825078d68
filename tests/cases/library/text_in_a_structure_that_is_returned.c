// property: memsafety
// truth: holds
// expect: proved
// Copies of a structure hold the text that it held.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
enum kind { NUMBER, WORD, MARK, END };
struct token { enum kind kind; char text[16]; };

static struct token next(void) {
  struct token token = {END, ""};
  unsigned length = 0;
  int first = __VERIFIER_nondet_int();
  if (first == 0) return token;
  if (first < 5) {
    token.kind = NUMBER;
    while (__VERIFIER_nondet_int())
      if (length + 1 < sizeof token.text) token.text[length++] = 'a';
  } else {
    token.kind = MARK;
    token.text[length++] = '!';
  }
  token.text[length] = '\0';
  return token;
}

int main(void) {
  int counts[3] = {0, 0, 0};
  for (struct token token = next(); token.kind != END; token = next()) {
    counts[token.kind]++;
    puts(token.text);
  }
  return counts[NUMBER];
}
