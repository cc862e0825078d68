//! Runs that read a stream, held against the compiled program: the bytes that a refutation names, as
//! a file on the standard input, lead it to an error that `AddressSanitizer` reports.

use super::harness::has_sanitizers;
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};
use wane::concolic::texts::is_reader;

const INCLUDES: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";

/// Programs that text leads to an error: by commands, in lines, in single bytes, behind lines.
const PROGRAMS: [&str; 5] = [
    "int main(void) {
        char line[40];
        int stack[2], top = 0, value;
        while (fgets(line, sizeof line, stdin))
            if (sscanf(line, \"push %d\", &value) == 1)
                stack[top++] = value;
        return 0;
    }",
    "int main(void) {
        int depth = 0, c;
        char *open = calloc(4, 1);
        while ((c = getchar()) != EOF) {
            if (c == '[')
                open[depth++] = 1;
            if (c == ']' && depth > 0)
                depth--;
        }
        free(open);
        return 0;
    }",
    "int main(void) {
        char *line = NULL;
        size_t size = 0;
        int *last = malloc(sizeof *last);
        while (getline(&line, &size, stdin) > 0)
            if (strcmp(line, \"drop\\n\") == 0) {
                free(last);
                last = NULL;
            } else if (line[0] == '=') {
                *last = 1;
            }
        free(line);
        free(last);
        return 0;
    }",
    "int main(void) {
        char head[6];
        int rows[2] = { 0, 0 }, c;
        if (!fgets(head, sizeof head, stdin))
            return 0;
        c = getchar();
        if (strchr(head, '\\n') == NULL && c == '7')
            rows[c - '0'] = 1;
        return rows[0];
    }",
    "int main(void) {
        char word[8];
        int n = 0, c = getchar();
        while (c != EOF && c != '\\n') {
            word[n++] = (char)c;
            c = getc(stdin);
        }
        return n > 0 ? word[0] : 0;
    }",
];

/// The bytes that the refuted run reads.
fn bytes_read(file: &std::path::Path) -> Vec<u8> {
    let mut wane = Command::new(env!("CARGO_BIN_EXE_wane"));
    wane.args(["check", "--property", "memsafety", "--format", "json"]).arg(file);
    let output = wane.output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let result = &report["results"][0];
    assert_eq!(result["verdict"], "false", "{result}");
    let inputs = result["evidence"]["failing_run"]["inputs"].as_array().unwrap();
    let read = inputs.iter().filter(|it| is_reader(it["name"].as_str().unwrap()));
    let values = read.map(|it| it["value"].as_str().unwrap().parse::<i32>().unwrap());
    values.map_while(|it| u8::try_from(it).ok()).collect()
}

#[test]
fn bytes_that_a_run_reads_lead_the_compiled_program_to_the_error() {
    if !has_sanitizers() {
        return;
    }
    for program in PROGRAMS {
        let folder = tempfile::tempdir().unwrap();
        let (source, binary) = (folder.path().join("program.c"), folder.path().join("program"));
        fs::write(&source, format!("{INCLUDES}{program}\n")).unwrap();
        let bytes = bytes_read(&source);
        let mut cc = Command::new("cc");
        cc.args(["-w", "-fsanitize=address"]).arg(&source).arg("-o").arg(&binary);
        assert!(cc.status().unwrap().success());
        let mut run = Command::new(&binary);
        run.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut run = run.spawn().unwrap();
        run.stdin.take().unwrap().write_all(&bytes).unwrap();
        let said = run.wait_with_output().unwrap().stderr;
        let (said, bytes) = (String::from_utf8_lossy(&said), String::from_utf8_lossy(&bytes));
        assert!(said.contains("AddressSanitizer"), "{program}\nreads {bytes:?}, and says {said}");
    }
}
