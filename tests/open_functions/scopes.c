/* Functions whose preconditions are of each scope: `tests/scopes.rs`. */
unsigned long strcspn(const char *, const char *);

struct node { int value; struct node *next; };
struct both { struct both *next, *prev; int value; };
struct person { struct person *next, *prev, *parent, *children; int age; };
struct shop { void (*opened)(struct shop *); struct node *stock; };

void *new_memory(unsigned long) __attribute__((malloc)) __attribute__((alloc_size(1)));
void *some_memory(unsigned long);
void look_at(struct node *);
void count_into(int *);
void fill(char *, int);
void node_free(struct node *);
void *pool_dealloc(struct shop *, unsigned long);

struct ring { struct ring *next, *prev; };
struct buffer { int used; unsigned char data[64]; };
struct keeper { void (*release)(struct node *); struct node *kept; };

int all_squares(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += i;
  return sum;
}

int general_length(const struct node *list) {
  int n = 0;
  while (list) {
    n++;
    list = list->next;
  }
  return n;
}

int general_first(const struct node *list) { return list->value; }

int general_counted(struct node *list) {
  for (int i = 0; i < 10; i++) list->value += i;
  return list->value;
}

int general_depth(const struct person *person) {
  if (!person) return 0;
  int below = general_depth(person->children), beside = general_depth(person->next);
  return below + 1 > beside ? below + 1 : beside;
}

unsigned general_length_of_text(const char *text) {
  const char *at = text;
  while (*at) at++;
  return (unsigned)(at - text);
}

int general_columns(int cells, int columns) { return cells / columns; }

int general_look(struct node *list) {
  int n = 0;
  for (; list; list = list->next) {
    look_at(list);
    n++;
  }
  return n;
}

int all_count_down(void) {
  int n = 0;
  count_into(&n);
  while (n > 0) n--;
  return n;
}

int general_call_back(struct node *list, int (*likes)(struct node *)) {
  int n = 0;
  for (; list; list = list->next) n += likes(list) != 0;
  return n;
}

struct node *all_prepend(struct node *list, int value) {
  struct node *fresh = new_memory(sizeof *fresh);
  fresh->value = value;
  fresh->next = list;
  return fresh;
}

int general_value_behind(void *data) {
  struct node *node = data;
  return node->value;
}

/* Loops of the library need not go on any number of times. */
char *general_cut(char **rest, const char *ends) {
  char *word = *rest;
  if (!word) return 0;
  char *end = word + strcspn(word, ends);
  *rest = *end ? end + 1 : 0;
  *end = 0;
  return word;
}

/* Only the first list can be walked. */
int bounded_second(struct node *one, struct node *other) {
  int n = 0;
  for (; one; one = one->next) n++;
  while (other) other = other->next ? other->next : other;
  return n;
}

int bounded_one_is_null(struct node *one, struct node *other) {
  if (other) return other->value + *(int *)8;
  return one->value;
}

/* Only an empty shop goes well. */
int bounded_field_is_null(struct shop *shop) {
  return shop->stock ? shop->stock->value + *(int *)8 : 0;
}

int degenerate_stuck(struct node *list) {
  while (list) list = list->next ? list->next : list;
  return 0;
}

/* That nothing happens for null is no answer: what blocks the other calls is said. */
int unknown_null(struct node *list) { return list ? list->value + *(int *)8 : 0; }

/* Memory of which nothing is known may be nowhere. */
int unknown_memory(void) {
  int *fresh = some_memory(sizeof *fresh);
  return *fresh;
}

/* What fills an array is not taken to leave it as it is. */
int unknown_filled(void) {
  char text[8] = "";
  fill(text, 8);
  return text[0];
}

/* Rings have one node, or two, or more. */
void general_unlink(struct ring *node) {
  node->prev->next = node->next;
  node->next->prev = node->prev;
}

/* Callers have one object, if it is used as one. */
int general_one_object(struct buffer *buffer, unsigned n) {
  for (unsigned i = 0; i < n; i++) buffer->used++;
  return buffer->used;
}

int general_objects(struct buffer *buffers, unsigned n) {
  int sum = 0;
  for (unsigned i = 0; i < n; i++) sum += buffers[i].used;
  return sum;
}

/* All calls that go well have nothing to do. */
int bounded_early(struct node *one, struct node *other) {
  if (!one) return 1;
  if (!other) return 2;
  return other->value + one->value + *(int *)8;
}

/* Nobody builds a list that ends in itself. */
int unknown_by_itself(struct node *list) {
  if (list->next != list) return *(int *)8;
  while (list->next == list && list->value > 0) list->value--;
  return 0;
}

/* A name is reason to take less for granted. */
int unknown_given_up(struct node *list) {
  if (!list) return 0;
  node_free(list);
  return list->value;
}

int unknown_given_up_through(struct keeper *keeper) {
  if (!keeper->kept) return 0;
  keeper->release(keeper->kept);
  return keeper->kept->value;
}

/* And never to take more. */
int unknown_dealloc(struct shop *shop) {
  int *gone = pool_dealloc(shop, sizeof *gone);
  return *gone;
}

/* What comes in may not lead to what other files know by its name. */
int shared_level;
int granted_global(int *into, int n) {
  shared_level = n;
  while (shared_level > 0) {
    *into = 1;
    shared_level--;
  }
  return 0;
}

/* What is waited for comes. */
int flock(int, int);
int granted_waiting(int n) {
  while (n > 0) {
    flock(n, 2);
    n--;
  }
  return n;
}
