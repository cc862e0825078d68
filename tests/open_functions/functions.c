/* Functions without a program around them: `tests/preconditions.rs`. */
void *malloc(unsigned long);
void free(void *);

struct node { int value; struct node *next; };
struct both { struct both *next, *prev; int value; };
struct tree { struct tree *left, *right; int key; };
struct queue { struct node *first, *last; };

struct node *reverse(struct node *list) {
  struct node *done = 0;
  while (list) {
    struct node *rest = list->next;
    list->next = done;
    done = list;
    list = rest;
  }
  return done;
}

int length(const struct node *list) {
  int n = 0;
  for (; list; list = list->next) n++;
  return n;
}

void destroy(struct node *list) {
  while (list) {
    struct node *rest = list->next;
    free(list);
    list = rest;
  }
}

struct node *append(struct node *front, struct node *back) {
  struct node *end = front;
  if (!front) return back;
  while (end->next) end = end->next;
  end->next = back;
  return front;
}

struct node *last(struct node *list) {
  while (list->next) list = list->next;
  return list;
}

int round_trip(struct node *ring) {
  int n = 1;
  for (struct node *at = ring->next; at != ring; at = at->next) n++;
  return n;
}

int distance(struct node *from, struct node *to) {
  int n = 0;
  while (from != to) {
    from = from->next;
    n++;
  }
  return n;
}

int insert_behind(struct node *at, struct node *fresh) {
  fresh->next = at->next;
  at->next = fresh;
  return fresh->value;
}

int there_and_back(struct both *at) {
  int n = 0;
  while (at->next) at = at->next;
  while (at->prev) {
    at = at->prev;
    at->next->value = n++;
  }
  return n;
}

int size(struct tree *tree) {
  return tree ? 1 + size(tree->left) + size(tree->right) : 0;
}

int contains(struct tree *tree, int key) {
  while (tree && tree->key != key) tree = key < tree->key ? tree->left : tree->right;
  return tree != 0;
}

void put(struct queue *queue, struct node *fresh) {
  fresh->next = 0;
  if (queue->last) queue->last->next = fresh;
  else queue->first = fresh;
  queue->last = fresh;
}

int waiting(struct queue *queue) {
  int n = 0;
  for (struct node *at = queue->first; at; at = at->next) n++;
  return n;
}

struct node *all;

void push(int value) {
  struct node *fresh = malloc(sizeof *fresh);
  fresh->value = value;
  fresh->next = all;
  all = fresh;
}

int pop_all(void) {
  int n = 0;
  while (all) {
    struct node *rest = all->next;
    free(all);
    all = rest;
    n++;
  }
  return n;
}

struct node *merge(struct node *left, struct node *right) {
  struct node *result = 0, **end = &result;
  while (left && right) {
    struct node **smaller = left->value < right->value ? &left : &right;
    *end = *smaller;
    *smaller = (*smaller)->next;
    end = &(*end)->next;
  }
  *end = left ? left : right;
  return result;
}

int sum(const int *numbers, int n) {
  int total = 0;
  for (int i = 0; i < n; i++) total += numbers[i];
  return total;
}

void drain(int *counter) {
  while (*counter > 0) --*counter;
}

/* Whatever is in the list, this does not end once it has begun. */
int stuck(struct node *list) {
  while (list) list->value++;
  return 0;
}

/* There is no memory for which this ends well. */
int hopeless(struct node *list) {
  list = 0;
  return list->value;
}

/* The length of an array stands in the same structure. */
struct row { int *cells; unsigned long length, room; };

int row_parity(const struct row *row) {
  int parity = 0;
  for (unsigned long i = 0; i < row->length; i++) parity ^= row->cells[i];
  return parity;
}

int row_put(struct row *row, int cell) {
  if (row->length == row->room) return 0;
  row->cells[row->length++] = cell;
  return 1;
}

/* Trees whose links are untyped: what they become says what they are. */
struct twig { const void *key; void *down[2]; int height; };

int twig_depth(const void *root) {
  const struct twig *twig = root;
  if (!twig) return 0;
  int left = twig_depth(twig->down[0]), right = twig_depth(twig->down[1]);
  return left > right ? left + 1 : right + 1;
}

void *twig_first(void *const *root) {
  struct twig *twig = *root;
  while (twig && twig->down[0]) twig = twig->down[0];
  return twig;
}

/* What one structure points at in another one may be null or not. */
struct link { struct link *next, *back; };

void link_out(struct link *link) {
  if (link->next) link->next->back = link->back;
  if (link->back) link->back->next = link->next;
  link->next = link->back = 0;
}

/* Where a number says that there is no child, the link is a thread to another node. */
struct threaded { struct threaded *left, *right; char left_child, right_child; int key; };
struct index { struct threaded *root; int (*order)(int, int); };

struct threaded *find_threaded(struct index *index, int key) {
  struct threaded *at = index->root;
  if (!at) return 0;
  for (;;) {
    int order = index->order(key, at->key);
    if (order == 0) return at;
    if (order < 0) {
      if (!at->left_child) return 0;
      at = at->left;
    } else {
      if (!at->right_child) return 0;
      at = at->right;
    }
  }
}

int count_threaded(struct threaded *at) {
  int n = 1;
  if (at->left_child) n += count_threaded(at->left);
  if (at->right_child) n += count_threaded(at->right);
  return n;
}

struct threaded *first_threaded(struct threaded *at) {
  while (at->left_child) at = at->left;
  return at;
}

/* This goes where there is no child. */
int follow_threads(struct threaded *at) {
  int n = 0;
  while (!at->left_child) {
    at = at->left;
    n++;
  }
  return n;
}

/* Memory by functions that the caller chose. */
struct makers { void *(*allocate)(unsigned long); void (*release)(void *); };

struct node *prepend_made(struct makers *makers, struct node *list, int value) {
  struct node *fresh = makers->allocate(sizeof *fresh), *end = fresh;
  fresh->value = value;
  fresh->next = list;
  while (end->next) end = end->next;
  end->value++;
  return fresh;
}

/* By its name, this function need not give new memory. */
struct finders { void *(*lookup)(unsigned long); };

int first_found(struct finders *finders) {
  struct node *found = finders->lookup(sizeof *found);
  return found->value;
}

/* What is handed over by reference has room for one number. */
int has_key(struct tree *tree, const int *key) {
  if (tree->key == *key) return 1;
  if (tree->left && has_key(tree->left, key)) return 1;
  return tree->right && has_key(tree->right, key);
}

/* Nothing is known of what others return: but for null, there is nothing to be proved. */
struct queue *tail_of(struct queue *queue, int);

void put_far(struct queue *queue, int value) {
  if (!queue) return;
  queue->last = tail_of(queue, value)->last;
  while (queue->first != queue->last) queue->first = queue->first->next;
}
