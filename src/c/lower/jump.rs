//! Labels as values: each label whose address is taken is a block of its own, and
//! `goto *p` compares `p` with all of them.

use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::body::Dispatch;
use super::convert::Value;
use super::{Lowered, Lowering, fold};
use crate::types::Type;
use ir::{BinaryOp, InitialContent, Terminator, Variable};

impl Lowering<'_> {
    /// `&&label`
    pub(super) fn label_address(&mut self, label: Symbol, place: Place) -> Value {
        let known = self.body.label_addresses.iter().find(|(known, _)| *known == label);
        let variable = match known {
            Some((_, variable)) => *variable,
            None => {
                let name = format!("$label_{}", self.name(label));
                let span = self.span(place);
                let variable = self.parts.address(&name, None, span);
                self.body.label_addresses.push((label, variable));
                self.strings.waiting_labels.push((variable, place));
                variable
            }
        };
        Value::new(Type::Void.pointer(), variable)
    }

    /// Gives a label an address.
    pub(super) fn set_up_label(&mut self, variable: Variable, place: Place) {
        self.allocate_static(variable, 1, InitialContent::Arbitrary, place);
    }

    /// `goto *address;` Where it goes is decided when all labels are known.
    pub(super) fn computed_goto(&mut self, address: Value, place: Place) {
        let span = self.span(place);
        let address = self.snapshot(&address, place).expr;
        let (block, frame) = (self.body.current, self.body.frame);
        self.body.dispatches.push(Dispatch { block, frame, address, place });
        self.body.terminate(Terminator::Halt, span);
    }

    /// Lets computed gotos go on to the labels whose address is taken.
    pub(super) fn finish_dispatches(&mut self) -> Lowered<()> {
        for Dispatch { block, frame, address, place } in std::mem::take(&mut self.body.dispatches) {
            let span = self.span(place);
            self.body.current = block;
            for (label, variable) in self.body.label_addresses.clone() {
                let then = self.body.way_to_label(label, place, frame, span);
                let otherwise = self.body.block(span);
                let condition = fold::binary(BinaryOp::Equal, address.clone(), variable.into());
                self.body.terminate(Terminator::Branch { condition, then, otherwise }, span);
                self.body.current = otherwise;
            }
            self.unsupported("computed goto to something that is no label", place);
            self.body.terminate(Terminator::Halt, span);
        }
        Ok(())
    }
}
