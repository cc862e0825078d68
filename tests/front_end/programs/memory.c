/* Pointers, arrays, structures, unions, bit-fields, initializers. */
#include <stddef.h>
extern void reach_error(void);
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void free(void *);
extern void *memset(void *, int, size_t);
extern void *memcpy(void *, const void *, size_t);
#define check(c) if (!(c)) reach_error()

struct point { int x, y; };
struct node { int value; struct node *next; };
struct outer { char tag; struct point corner[2]; union { int whole; unsigned char part[4]; }; };
struct bits { unsigned a : 3; int b : 5; unsigned c : 8; unsigned : 0; unsigned d : 1; };

static struct point origin = { .y = 2, .x = 1 };
static int table[] = { [4] = 40, 50, [1] = 10, 20 };
static struct outer big = { 'z', { { 1, 2 }, { .y = 4 } }, .whole = 0x01020304 };
static const char *words[] = { "zero", "one", 0 };
static char letters[8] = "abc";
static int (*operation)(int);
static int *shared = &table[2];
static int matrix[2][3] = { { 1, 2, 3 }, { 4 } };
static int flat[2][2] = { 1, 2, 3 };

static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static int (*const choices[])(int) = { twice, thrice };

static struct point add(struct point a, struct point b)
{
    a.x += b.x;
    a.y += b.y;
    return a;
}

static void bump(int *cell) { (*cell)++; }

static int length(struct node *list)
{
    int n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

int main(void)
{
    check(origin.x == 1 && origin.y == 2);
    check(sizeof(table) / sizeof(*table) == 6);
    check(table[0] == 0 && table[1] == 10 && table[2] == 20 && table[4] == 40 && table[5] == 50);
    check(big.tag == 'z' && big.corner[0].y == 2 && big.corner[1].x == 0 && big.corner[1].y == 4);
    check(big.part[0] == 4 && big.part[3] == 1);
    check(words[1][0] == 'o' && words[0][4] == 0 && !words[2]);
    check(letters[2] == 'c' && letters[3] == 0 && letters[7] == 0);
    check(*shared == 20 && shared[-1] == 10 && shared - table == 2);
    check(matrix[1][0] == 4 && matrix[1][2] == 0 && sizeof(matrix) == 24);
    check(flat[1][0] == 3 && flat[1][1] == 0);
    operation = twice;
    check(operation(4) == 8);
    operation = choices[1];
    check((*operation)(4) == 12 && operation != twice);
    struct point p = { 3, 4 }, q = p;
    q.x = 7;
    check(p.x == 3 && q.x == 7 && q.y == 4);
    p = add(p, q);
    check(p.x == 10 && p.y == 8 && q.x == 7);
    check(add(p, add(q, q)).x == 24);
    int local = 5, *to = &local, **too = &to;
    bump(to);
    check(local == 6);
    **too = 9;
    check(local == 9);
    struct node *list = 0;
    for (int i = 0; i < 4; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->value = i;
        fresh->next = list;
        list = fresh;
    }
    check(length(list) == 4 && list->value == 3 && list->next->value == 2);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    int *zeros = calloc(3, sizeof(int));
    check(zeros[0] == 0 && zeros[2] == 0);
    memset(zeros, 0, 12);
    zeros[1] = 6;
    int copy[3];
    memcpy(copy, zeros, sizeof copy);
    check(copy[1] == 6);
    free(zeros);
    struct bits bits = { 5, -3, 200, 1 };
    check(bits.a == 5 && bits.b == -3 && bits.c == 200 && bits.d == 1);
    bits.a = 9;
    bits.b += 4;
    bits.c++;
    check(bits.a == 1 && bits.b == 1 && bits.c == 201 && bits.d == 1);
    check(sizeof(struct bits) == 8);
    check(offsetof(struct outer, corner[1].y) == 16 && offsetof(struct outer, part) == 20);
    struct point *corner = &big.corner[1];
    struct outer *back = (struct outer *)((char *)corner - offsetof(struct outer, corner[1]));
    check(back == &big);
    int *literal = (int[]){ 7, 8, 9 };
    check(literal[2] == 9);
    check(((struct point){ .y = 6 }).y == 6);
    char text[] = "hello";
    check(sizeof text == 6);
    char *cursor = text;
    int letters_seen = 0;
    while (*cursor++)
        letters_seen++;
    check(letters_seen == 5 && cursor - text == 6);
    int count = 3;
    int dynamic[count + 1];
    dynamic[3] = 4;
    check(sizeof dynamic == 16 && dynamic[3] == 4);
    int grid[2][2] = { { 0 } };
    int (*row)[2] = grid + 1;
    (*row)[1] = 3;
    check(grid[1][1] == 3 && row[0][1] == 3 && &grid[1] == row);
    const char *null = 0;
    check(!null && null == (void *)0);
    return 0;
}
