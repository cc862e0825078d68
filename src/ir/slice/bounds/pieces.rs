//! Copies of objects that are known, in pieces.
//!
//! ```text
//!   p: leads to an object that is private (`slice::private`)    c: a pointer in it at p + j
//!   ───────────────────────────────────────────────────────────────────────────────────── PIECES
//!   [q; k] := copy p   ⟶  [q; j] := copy p; [q + j] := c; [q + j + w; k - j - w] := copy p + j + w
//! ```
//!
//! So each pointer that is written into memory of others is looked at as if it were written alone:
//! as when the elements of an array change places through a local variable.

use crate::slice::private::{Objects, Part, behind};
use crate::{Command, Expr, Instruction, Program, ScalarType, VariableInfo};

/// The program with what is copied out of such objects in pieces.
pub(super) fn in_pieces(program: &mut Program, objects: &Objects) {
    let width = i128::from(program.pointer_bytes);
    let Program { procedures, variables, .. } = program;
    let whole = Whole { objects, variables, width };
    for block in procedures.iter_mut().flat_map(|it| &mut it.blocks) {
        let commands = std::mem::take(&mut block.commands).into_iter();
        let divided = commands.flat_map(|it| match whole.pieces(&it.command) {
            Some(pieces) => {
                let at = |command| Instruction { command, span: it.span };
                pieces.into_iter().map(at).collect()
            }
            None => vec![it],
        });
        block.commands = divided.collect();
    }
}

/// What is copied as a whole.
struct Whole<'a> {
    objects: &'a Objects,
    variables: &'a [VariableInfo],
    /// Bytes of a pointer.
    width: i128,
}

impl Whole<'_> {
    /// The pieces of a copy from an object to what is none; nothing if there is one piece only.
    fn pieces(&self, command: &Command) -> Option<Vec<Command>> {
        let Command::Copy { target, source, size: Expr::Constant(size), overlap } = command else {
            return None;
        };
        let (object, from) = self.objects.place(self.variables, source)?;
        if self.objects.place(self.variables, target).is_some() {
            return None;
        }
        let end = from + size;
        let piece = |begin: i128, end: i128| Command::Copy {
            target: behind(target, begin - from),
            source: behind(source, begin - from),
            size: Expr::Constant(end - begin),
            overlap: *overlap,
        };
        let mut pointers: Vec<&Part> = self.objects.parts_of(object).iter().collect();
        pointers.retain(|it| it.ty == ScalarType::Pointer);
        pointers.retain(|it| from <= it.offset && it.offset + self.width <= end);
        pointers.sort_by_key(|it| it.offset);
        let (mut pieces, mut at) = (Vec::new(), from);
        for Part { offset, ty, variable } in pointers {
            if at < *offset {
                pieces.push(piece(at, *offset));
            }
            let (address, value) = (behind(target, offset - from), (*variable).into());
            pieces.push(Command::Store { address, value, ty: *ty });
            at = offset + self.width;
        }
        if from < at && at < end {
            pieces.push(piece(at, end));
        }
        (from < at).then_some(pieces)
    }
}
