//! Scratch: prints the verdict of a `.goto` program.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "scratch")]
use wane::base::budget::Budget;
use wane::heap::shape::ShapeLibrary;
use wane::sonar::Machine;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let program = wane::ir::text::parse(&path, &text).unwrap().program;
        let library = ShapeLibrary::builtin().unwrap();
        let machine = Machine::new(&program, &library);
        match wane::prove::mutant::prove(&machine, &mut Budget::of_steps(100_000)) {
            wane::verdict::Verdict::Proved(_) => println!("{path}: PROVED"),
            wane::verdict::Verdict::Unknown(why) => println!("{path}: unknown {:?}", why.reasons),
        }
    }
}
