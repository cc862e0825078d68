//! Objects that live as long as the full expression around them: structures that are
//! mere values, where a part of them is used that has an address.

use wane_grammar::c::ast::{Expr as Tree, ExprKind, Initializer};
use wane_grammar::c::place::Place;

use super::access::{Lvalue, Site};
use super::body::Extent;
use super::convert::Value;
use super::{Lowered, Lowering};
use crate::types::Type;
use ir::{BlockId, ScalarType};

impl<'a> Lowering<'a> {
    /// Does `work` for a full expression; its temporary objects end with it.
    pub(super) fn full_expression<T>(
        &mut self,
        tree: &'a Tree,
        work: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        if has_temporaries(tree) { self.ending_temporaries(tree.place, work) } else { work(self) }
    }

    /// Does `work` for an initializer.
    pub(super) fn full_initializer<T>(
        &mut self,
        initializer: &'a Initializer,
        place: Place,
        work: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        if initializer.parts().into_iter().any(has_temporaries) {
            self.ending_temporaries(place, work)
        } else {
            work(self)
        }
    }

    fn ending_temporaries<T>(
        &mut self,
        place: Place,
        work: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let span = self.span(place);
        let outer = self.body.enter_part(Extent::Expression, span);
        let result = work(self);
        self.body.leave(outer, span);
        result
    }

    /// Branches on a condition that is a full expression.
    pub(super) fn branch_once(
        &mut self,
        tree: &'a Tree,
        then: BlockId,
        otherwise: BlockId,
    ) -> Lowered<()> {
        if !has_temporaries(tree) {
            return self.branch(tree, then, otherwise);
        }
        let condition = self.full_expression(tree, |this| {
            let value = this.rvalue(tree)?;
            let truth = this.truth(value, tree.place)?;
            Ok(this.snapshot(&Value::new(Type::INT, truth), tree.place).expr)
        })?;
        self.branch_on(condition, then, otherwise, tree.place);
        Ok(())
    }

    /// A copy of a structure that is a mere value.
    pub(super) fn temporary_object(&mut self, value: &Lvalue, place: Place) -> Lowered<Lvalue> {
        let (Site::Memory(source) | Site::Member(source, _)) = &value.site else {
            return Ok(value.clone());
        };
        let size = self.size(&value.ty, place)?;
        let block = if self.body.is_start {
            self.block_of(&value.ty, place)?
        } else {
            let block = self.temporary(ScalarType::Pointer, place);
            self.body.own_temporary(block, size);
            block
        };
        self.copy(block.into(), source.clone(), size, place);
        Ok(Lvalue { ty: value.ty.clone(), site: Site::Memory(block.into()) })
    }
}

/// Whether a member of a mere value is used somewhere in the expression.
fn has_temporaries(tree: &Tree) -> bool {
    let is_one = matches!(&tree.kind, ExprKind::Member(record, _) if !Lowering::is_lvalue(record));
    is_one || tree.parts().into_iter().any(has_temporaries)
}
