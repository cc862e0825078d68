//! Programs whose first attempts are all cut short.

use assert_cmd::cargo::cargo_bin_cmd;
use std::fs;

/// A list of nodes that own blocks and hold names: it is built, searched, cut and freed.
const PARTS: &str = r#"
#include <stdlib.h>
#include <string.h>

struct part {
    struct part *next;
    char name[16];
    int count;
    int *history;
};

static struct part *parts;

static struct part *make(const char *name, int count)
{
    struct part *part = malloc(sizeof *part);
    if (!part)
        return NULL;
    strncpy(part->name, name, sizeof part->name - 1);
    part->name[sizeof part->name - 1] = '\0';
    part->count = count;
    part->history = malloc(4 * sizeof *part->history);
    if (!part->history) {
        free(part);
        return NULL;
    }
    for (int i = 0; i < 4; i++)
        part->history[i] = count;
    part->next = NULL;
    return part;
}

static struct part *find(const char *name)
{
    for (struct part *part = parts; part; part = part->next)
        if (strcmp(part->name, name) == 0)
            return part;
    return NULL;
}

static void take_out(const char *name)
{
    for (struct part **link = &parts; *link; link = &(*link)->next) {
        struct part *part = *link;
        if (strcmp(part->name, name) == 0) {
            *link = part->next;
            free(part->history);
            free(part);
            return;
        }
    }
}

static void free_all(void)
{
    while (parts) {
        struct part *part = parts;
        parts = part->next;
        free(part->history);
        free(part);
    }
}

int main(void)
{
    static const char *names[] = { "bolt", "nut", "gear", "cog" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct part *part = make(names[i], (int)i * 10);
        if (!part) {
            free_all();
            return 1;
        }
        part->next = parts;
        parts = part;
    }
    if (find("nut"))
        take_out("nut");
    int total = 0;
    for (struct part *part = parts; part; part = part->next)
        total += part->count;
    free_all();
    return total > 100;
}
"#;

/// More steps are given to the attempts, as long as there are any.
#[test]
fn attempts_that_are_all_cut_short_are_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("parts.c");
    fs::write(&path, PARTS).unwrap();
    let check = |steps: &str| {
        let mut wane = cargo_bin_cmd!("wane");
        wane.args(["check", "-p", "termination", "--steps", steps]).arg(&path);
        String::from_utf8(wane.output().unwrap().stdout).unwrap()
    };
    let few = check("400000");
    assert!(few.contains("unknown[W033]: the step limit was reached"), "{few}");
    let many = check("20000000");
    assert!(many.starts_with("proved: every run of `main` ends"), "{many}");
}
