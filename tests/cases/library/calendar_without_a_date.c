// property: memsafety
// truth: fails
// expect: unknown(W003)
// options: --entry initial
// A moment that no calendar has leaves the month unset.
#include <time.h>
static const char *const months[12] = {"J", "F", "M", "A", "M", "J", "J", "A", "S", "O", "N", "D"};
int initial(time_t moment) {
  struct tm date;
  gmtime_r(&moment, &date);
  return months[date.tm_mon][0];
}
