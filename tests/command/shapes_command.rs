//! `wane shapes`: the library as formulas.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use assert_cmd::Command;
use std::fs;

fn wane() -> Command {
    Command::new(env!("CARGO_BIN_EXE_wane"))
}

fn output(command: &mut Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

#[test]
fn the_library_is_printed_with_its_rules() {
    let text = output(wane().arg("shapes"));
    insta::with_settings!({ snapshot_path => "../../snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("shapes_command", text);
    });
}

#[test]
fn shapes_of_the_user_follow_the_library() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pair.shape");
    let shape = "/// A list that goes by twos.\nshape pair(x, y) {\n  unfold x\n    | x |-> { a: y, b: y }\n    \
                 | x |-> { a: n, b: n } * pair(n, y)\n}\n";
    fs::write(&file, shape).unwrap();
    let text = output(wane().arg("shapes").arg("--shape").arg(&file));
    assert!(text.contains("# A list that goes by twos."), "{text}");
    assert!(text.contains("x |-> { a: m, b: m } * pair[k](m, y) |- pair[k + 1](x, y)"), "{text}");
}

#[test]
fn a_wrong_shape_file_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.shape");
    fs::write(&file, "/// Bad.\nshape bad(x) {\n  unfold x\n    | nothing(x)\n}\n").unwrap();
    let failure = wane().arg("shapes").arg("--shape").arg(&file).assert().code(2);
    let message = String::from_utf8(failure.get_output().stderr.clone()).unwrap();
    assert!(message.contains("bad.shape:4:7: no shape has this name"), "{message}");
}
