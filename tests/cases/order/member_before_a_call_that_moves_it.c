// property: memsafety
// truth: fails
// expect: refuted
// Before the call the member leads nowhere.
struct place { int *row; };
static struct place place;
static int row[4];

static int moved(void) {
  place.row = row;
  return 1;
}

int main(void) {
  place.row[1] = moved();
  return 0;
}
