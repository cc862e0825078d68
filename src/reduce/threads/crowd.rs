//! Crowds in the product: any number of threads that run one function.

use super::Created;
use super::kinds::Site;
use super::schedule::{NEVER_NAMED, NOT_STARTED, Part, Product, STUCK, name_of};
use base::source::Span;
use ir::{
    BinaryOp, BlockId, Command, Expr, HavocSource, Instruction, IntKind, ScalarType, Terminator,
    Variable,
};
use std::collections::BTreeSet;

impl Product {
    /// Notes the locks that a thread holds at its stops.
    pub(super) fn note_held(&mut self, part: &Part<'_>) {
        for (stop, place) in part.stops.iter().zip(1..) {
            for lock in &part.held[stop] {
                self.held.entry(*lock).or_default().push((part.number, place));
            }
        }
    }

    /// Adds where one of a crowd moves: from its start or from any stop, where its own variables
    /// hold anything. Two threads do not hold one lock. Gives where that is decided.
    pub(super) fn any_of_crowd(
        &mut self,
        part: &Part<'_>,
        first: usize,
        live: &[BTreeSet<Variable>],
    ) -> BlockId {
        let anything = |target: Variable| {
            let why = "a variable of one of many threads".to_owned();
            Command::Havoc { target, source: HavocSource::Approximation(why) }
        };
        let given = self.parameters[part.number].map(anything);
        let begins = self.push(given.into_iter().collect(), Terminator::Goto(BlockId::at(first)));
        let mut cases = vec![(0, 0, begins)];
        for (stop, place) in part.stops.iter().zip(1..) {
            let mut commands: Vec<Command> = live[*stop].iter().copied().map(anything).collect();
            let holders = part.held[stop].iter().filter_map(|lock| self.held.get(lock));
            let elsewhere = holders.flatten().map(|(thread, there)| {
                let place = self.places[*thread].into();
                let condition = Expr::binary(BinaryOp::NotEqual, place, Expr::Constant(*there));
                Command::Assume { condition }
            });
            commands.extend(elsewhere);
            let resumes = self.push(commands, Terminator::Goto(BlockId::at(first + stop)));
            cases.push((place, place, resumes));
        }
        let started =
            Expr::binary(BinaryOp::Equal, self.places[part.number].into(), Expr::Constant(0));
        let number = i128::try_from(part.number).unwrap_or(0);
        let turn = Command::Assign { target: self.turn, value: Expr::Constant(number) };
        let commands = vec![turn, Command::Assume { condition: started }, self.decides()];
        let value = self.who.into();
        self.push(commands, Terminator::Switch { value, cases, default: STUCK })
    }

    /// Adds that a thread is started. Gives the block that goes on behind it.
    pub(super) fn starts(
        &mut self,
        here: usize,
        site: &Site,
        created: &Created,
        (pointer_bytes, span): (u32, Span),
    ) -> usize {
        let bits = u8::try_from(pointer_bytes * 8).unwrap_or(64);
        let ty = ScalarType::Int(IntKind { bits, signed: false });
        let store = |value: Expr| Command::Store { address: created.id.clone(), value, ty };
        let names = |this: &Self, slot: usize| {
            let name = this.names.get(slot).map(|it| Expr::from(*it));
            store(name.unwrap_or(Expr::Constant(name_of(slot))))
        };
        let numbered = |number: usize| i128::try_from(number).unwrap_or(0);
        let begins = |this: &Self, slot: usize| -> Vec<Instruction> {
            let value = created.argument.clone();
            let gives = this.parameters[slot].map(|target| Command::Assign { target, value });
            let all = this.takes_name(slot).into_iter().chain([names(this, slot)]).chain(gives);
            let all = all.chain([this.moves_to(slot, 0)]);
            all.map(|command| Instruction { command, span }).collect()
        };
        if let ([slot], None) = (&site.slots[..], site.crowd) {
            let all = begins(self, *slot);
            self.blocks[here].commands.extend(all);
            return here;
        }
        let next = self.push(Vec::new(), Terminator::Halt);
        let mut here = here;
        for slot in &site.slots {
            let then = self.push(Vec::new(), Terminator::Goto(next));
            let all = begins(self, *slot);
            self.blocks[then.index()].commands = all;
            let otherwise = self.push(Vec::new(), Terminator::Halt);
            let place = self.places[*slot].into();
            let mut free = then;
            if site.crowd.is_some() {
                // It may be another one that the question is about.
                let number = Expr::Constant(numbered(*slot));
                let condition = Expr::binary(BinaryOp::Equal, self.who.into(), number);
                let on = Terminator::Branch { condition, then, otherwise };
                free = self.push(vec![self.decides()], on);
            }
            let condition = Expr::binary(BinaryOp::Equal, place, Expr::Constant(NOT_STARTED));
            self.blocks[here].terminator = Terminator::Branch { condition, then: free, otherwise };
            here = otherwise.index();
        }
        let mut commands = vec![store(Expr::Constant(NEVER_NAMED))];
        if !self.names.is_empty() {
            let why = "what one of many threads is called".to_owned();
            let source = HavocSource::Approximation(why);
            let anything = Command::Havoc { target: self.anybody, source };
            commands = vec![anything, store(self.anybody.into())];
        }
        commands.extend(site.crowd.map(|crowd| self.moves_to(crowd, 0)));
        let commands = commands.into_iter().map(|command| Instruction { command, span });
        self.blocks[here].commands.extend(commands);
        self.blocks[here].terminator = Terminator::Goto(next);
        next.index()
    }
}
