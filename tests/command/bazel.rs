//! The aspect for Bazel (`docs/bazel`), by Bazel itself where that is at hand.
//!
//! Bazel asks the network for rules of C and Java. Stand-ins for the few names of them that are
//! needed lie beside the workspace.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use super::folder::folder;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The workspace of a user, and the stand-ins.
const FILES: [(&str, &str); 14] = [
    (
        "ws/WORKSPACE",
        r#"local_repository(name = "rules_cc", path = "../rules_cc")
local_repository(name = "rules_java", path = "../rules_java")
"#,
    ),
    ("ws/tools/lint/BUILD.bazel", r#"exports_files(["wane"])"#),
    (
        "ws/tools/lint/defs.bzl",
        r#"load(":wane.bzl", "wane_aspect")
wane = wane_aspect(binary = Label("//tools/lint:wane"))
"#,
    ),
    (
        "ws/app/BUILD.bazel",
        r#"cc_library(name = "list", srcs = ["list.c"], hdrs = ["list.h"], defines = ["STEP=1"])
cc_binary(name = "main", srcs = ["main.c"], deps = [":list"])
cc_binary(name = "left", srcs = ["main.c"], deps = [":list"], tags = ["no-wane"])
"#,
    ),
    (
        "ws/app/list.h",
        "struct node { struct node *next; };\nint length(const struct node *list);\n",
    ),
    (
        "ws/app/list.c",
        r#"#include "app/list.h"
int length(const struct node *list)
{
    int n = 0;
    for (; list; list = list->next)
        n += STEP;
    return n;
}
"#,
    ),
    (
        "ws/app/main.c",
        r#"#include "app/list.h"
int main(void)
{
    for (unsigned i = 3; i >= 0; i--)
        length(0);
    return 0;
}
"#,
    ),
    ("rules_cc/WORKSPACE", ""),
    ("rules_cc/cc/BUILD", ""),
    ("rules_cc/cc/common/BUILD", ""),
    (
        "rules_cc/cc/find_cc_toolchain.bzl",
        r#"load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
find_cc_toolchain = find_cpp_toolchain
def use_cc_toolchain():
    return ["@bazel_tools//tools/cpp:toolchain_type"]
"#,
    ),
    ("rules_cc/cc/natives.bzl", "COMMON = cc_common\nINFO = CcInfo\n"),
    ("rules_java/WORKSPACE", ""),
    ("rules_java/java/BUILD", ""),
];

/// Rules of Bazel's own tools that take another way now.
const NATIVE_CC: &str = "cc_binary cc_import cc_library cc_test cc_toolchain cc_toolchain_suite \
    cc_libc_top_alias cc_proto_library objc_import objc_library fdo_prefetch_hints fdo_profile";
const NATIVE_JAVA: &str = "java_binary java_import java_library java_package_configuration \
    java_plugin java_runtime java_runtime_suite java_test java_toolchain";

fn natives(names: &str) -> String {
    let names = names.split_whitespace();
    names.map(|name| format!("{name} = getattr(native, \"{name}\", None)\n")).collect()
}

/// All files but the aspect and the program.
fn files() -> Vec<(String, String)> {
    let fixed = FILES.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let mut files: Vec<(String, String)> = fixed.collect();
    files.push(("rules_cc/cc/defs.bzl".to_owned(), natives(NATIVE_CC)));
    files.push(("rules_java/java/defs.bzl".to_owned(), natives(NATIVE_JAVA)));
    for (file, name, of) in [("cc_common", "cc_common", "COMMON"), ("cc_info", "CcInfo", "INFO")] {
        let text = format!("load(\"//cc:natives.bzl\", \"{of}\")\n{name} = {of}\n");
        files.push((format!("rules_cc/cc/common/{file}.bzl"), text));
    }
    files
}

/// What the aspect says of the workspace in a folder: output files by name. Nothing, if there is
/// no Bazel.
fn outputs(folder: &Path) -> Option<Vec<(String, String)>> {
    let rule = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/bazel/wane.bzl");
    fs::copy(rule, folder.join("ws/tools/lint/wane.bzl")).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_wane"), folder.join("ws/tools/lint/wane")).unwrap();
    let done = Command::new("bazel")
        .current_dir(folder.join("ws"))
        .arg(format!("--output_user_root={}", folder.join("out").display()))
        .args(["--batch", "build", "--incompatible_enable_cc_toolchain_resolution"])
        .arg("--aspects=//tools/lint:defs.bzl%wane")
        .args(["--output_groups=wane_human,wane_sarif", "//..."])
        .output()
        .ok()?;
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let read = |name: &str| {
        let path = folder.join("ws/bazel-bin/app").join(name);
        fs::read_to_string(path).ok().map(|text| (name.to_owned(), text))
    };
    let names = ["list", "main", "left"].map(|target| {
        ["txt", "sarif", "exit_code"].map(|extension| format!("{target}.wane.{extension}"))
    });
    let found = names.iter().flatten().filter_map(|name| read(name)).collect();
    // What Bazel writes may not be changed, nor removed with its folder.
    let _ = Command::new("chmod").args(["-R", "u+w"]).arg(folder).status();
    Some(found)
}

/// Each target has its reports, the same in two folders; what has a tag is left out.
#[test]
#[allow(clippy::print_stderr, reason = "says what was skipped")]
fn bazel_runs_the_aspect() {
    let files = files();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let (one, other) = (folder(&files), folder(&files));
    let Some(found) = outputs(one.path()) else {
        eprintln!("skipped: there is no bazel");
        return;
    };
    let of = |name: &str| {
        let mut known = found.iter().filter(|(known, _)| known == name).map(|(_, text)| text);
        known.next().cloned().unwrap_or_default()
    };
    assert_eq!(of("list.wane.exit_code").trim(), "0", "{found:?}");
    assert_eq!(of("main.wane.exit_code").trim(), "1", "{found:?}");
    assert!(of("list.wane.txt").contains("every run of `length` ends"), "{found:?}");
    assert!(of("main.wane.sarif").contains("\"app/main.c\""), "{found:?}");
    assert_eq!(found.len(), 6, "{found:?}");
    assert_eq!(outputs(other.path()), Some(found));
}
