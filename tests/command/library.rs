//! wane as a library: what a project is read from, and what it says of it.

use crate::folder;

use folder::folder;
use wane::{Answer, Options, Preprocessing, Problem, Project, Question, Reading};

const COUNTS: &str = "int main(void) { for (int i = 0; i < 9; i++) { } return 0; }";

fn messages(project: Result<Project, Vec<Problem>>) -> Vec<String> {
    project.unwrap_err().into_iter().map(|it| it.message).collect()
}

#[test]
fn files_of_a_folder_are_one_program() {
    let folder = folder(&[
        ("main.c", "void work(int n); int main(void) { work(9); return 0; }"),
        ("work.c", "void work(int n) { while (n > 0) n -= STEP; }"),
    ]);
    let with_step = |step: &str| {
        let flags = vec![format!("-DSTEP={step}")];
        let reading = Reading { flags, preprocessing: Preprocessing::On, ..Reading::default() };
        let project = Project::read(&[folder.path()], &reading).unwrap();
        project.ask(&Question::Termination).unwrap().answer
    };
    assert_eq!(with_step("1"), Answer::Proved);
    assert_eq!(with_step("0"), Answer::Refuted);
}

#[test]
fn a_project_starts_where_it_is_told_to() {
    let folder =
        folder(&[("a.c", "void spin(void) { for (;;) { } } int main(void) { return 0; }")]);
    let answer = |entry: Option<&str>| {
        let options = Options { entry: entry.map(str::to_owned), ..Options::default() };
        let project = Project::read(&[folder.path()], &Reading { options, ..Reading::default() });
        project.map(|it| it.ask(&Question::Termination).unwrap().answer)
    };
    assert_eq!(answer(None).unwrap(), Answer::Proved);
    assert_eq!(answer(Some("spin")).unwrap(), Answer::Refuted);
    assert!(answer(Some("spun")).unwrap_err()[0].message.contains("`spun`"));
}

#[test]
fn little_work_leaves_questions_open() {
    let folder = folder(&[("a.c", COUNTS)]);
    let project = Project::from_files(&[folder.path().join("a.c")]).unwrap().with_steps(1);
    assert_eq!(project.ask(&Question::Termination).unwrap().answer, Answer::Unknown);
}

#[test]
fn bad_files_and_questions_have_problems() {
    let no_file: [&str; 0] = [];
    assert_eq!(messages(Project::from_files(&no_file)), ["no file is given"]);

    let folder = folder(&[("a.c", COUNTS), ("b.c", COUNTS), ("bad.c", "int main(void) {")]);
    let path = |name: &str| folder.path().join(name);
    assert!(messages(Project::from_files(&[path("none.c")]))[0].contains("cannot be read"));
    assert_eq!(messages(Project::from_files(&[path("bad.c")])), ["unexpected end of file"]);
    let several = messages(Project::from_files(&[path("a.c"), path("b.c")]));
    assert_eq!(several, ["this is a program of its own: each is read alone"; 2]);

    let project = Project::from_files(&[path("a.c")]).unwrap();
    let problems = project.ask(&Question::ThreadTermination("worker".to_owned())).unwrap_err();
    assert!(problems[0].message.contains("`worker`"), "{problems:?}");
}
