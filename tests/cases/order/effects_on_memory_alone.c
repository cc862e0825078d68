// property: termination
// truth: holds
// expect: proved
// Which of the calls comes first matters to what memory holds, and not to the loop.
struct date { int day, month; };

static struct date next(struct date *date) { date->day++; return *date; }
static int days(struct date *date) { return date->day + date->month; }

static int both(struct date one, int n) { return one.day + n; }

int main(void)
{
    struct date date = { 1, 1 };
    int n = 0;
    for (int i = 0; i < 10; i++)
        n += both(next(&date), days(&date));
    return n & 1;
}
