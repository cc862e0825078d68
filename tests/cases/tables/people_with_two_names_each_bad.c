// property: memsafety
// truth: fails
// expect: refuted
// why: the last names are lost
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person { char *first, *last; int age; };

static struct person *born(const char *first, const char *last, int age) {
    struct person *person = malloc(sizeof *person);
    if (person == NULL)
        return NULL;
    person->first = strdup(first);
    person->last = strdup(last);
    person->age = age;
    if (person->first == NULL || person->last == NULL) {
        free(person->first);
        free(person->last);
        free(person);
        return NULL;
    }
    return person;
}

static void gone(struct person *person) {
    free(person->first);
    free(person);
}

int main(void) {
    struct person *all[20];
    char first[30], last[30];
    int n = 0, age;
    while (n < 20 && scanf("%29s %29s %d", first, last, &age) == 3) {
        all[n] = born(first, last, age);
        if (all[n] == NULL)
            break;
        n++;
    }
    for (int i = 0; i < n; i++) {
        printf("%s %s, %d\n", all[i]->first, all[i]->last, all[i]->age);
        gone(all[i]);
    }
    return 0;
}
