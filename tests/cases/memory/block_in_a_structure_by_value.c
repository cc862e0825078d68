// property: memsafety
// truth: fails
// expect: unknown(W010)
// options: --entry pack
// The structure is the function's own copy, which ends with the call.
#include <stdlib.h>
struct parcel {
  char *label;
  int n;
};
int pack(struct parcel parcel) {
  parcel.label = malloc(3);
  parcel.label[0] = 1;
  return parcel.label[0];
}
