//! The parts of the goto program, as far as they are made.

use base::source::Span;
use ir::{Procedure, ProcedureId, ScalarType, Variable, VariableInfo};

/// Procedures and variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    pub(super) procedures: Vec<Procedure>,
    pub(super) variables: Vec<VariableInfo>,
    /// Whether a variable never changes between two uses of it in one C
    /// expression: temporaries and addresses of blocks.
    steady: Vec<bool>,
}

impl Parts {
    /// A new procedure without body.
    pub(super) fn procedure(&mut self, name: &str, span: Span) -> ProcedureId {
        self.procedures.push(Procedure {
            name: name.to_owned(),
            parameters: Vec::new(),
            lasting: Vec::new(),
            result: None,
            blocks: Vec::new(),
            span,
            shortcut: None,
        });
        ProcedureId::at(self.procedures.len() - 1)
    }

    /// A new variable that the program assigns.
    pub(super) fn variable(&mut self, info: VariableInfo) -> Variable {
        self.variables.push(info);
        self.steady.push(false);
        Variable::at(self.variables.len() - 1)
    }

    /// A new variable that holds the address of a block.
    pub(super) fn address(
        &mut self,
        name: &str,
        owner: Option<ProcedureId>,
        span: Span,
    ) -> Variable {
        self.variables.push(VariableInfo {
            name: name.to_owned(),
            ty: ScalarType::Pointer,
            owner,
            span,
        });
        self.steady.push(true);
        Variable::at(self.variables.len() - 1)
    }

    /// A new temporary.
    pub(super) fn temporary(&mut self, ty: ScalarType, owner: ProcedureId, span: Span) -> Variable {
        let name = format!("${}", self.variables.len());
        self.variables.push(VariableInfo { name, ty, owner: Some(owner), span });
        self.steady.push(true);
        Variable::at(self.variables.len() - 1)
    }

    /// A new temporary that is called like the variable whose value it holds.
    pub(super) fn copy_of(
        &mut self,
        variable: Variable,
        owner: ProcedureId,
        span: Span,
    ) -> Variable {
        let copy = self.temporary(self.variables[variable.index()].ty, owner, span);
        self.variables[copy.index()].name = self.variables[variable.index()].name.clone();
        copy
    }

    /// Forgets a temporary that nothing mentions, if it is the newest variable.
    pub(super) fn discard(&mut self, temporary: Variable) {
        if temporary.index() + 1 == self.variables.len() {
            self.variables.pop();
            self.steady.pop();
        }
    }

    pub(super) fn is_steady(&self, variable: Variable) -> bool {
        self.steady.get(variable.index()).copied().unwrap_or(false)
    }

    pub(super) fn scalar_type(&self, variable: Variable) -> Option<ScalarType> {
        self.variables.get(variable.index()).map(|info| info.ty)
    }
}
