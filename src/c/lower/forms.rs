//! What a person calls the parts of memory: the forms of the types of variables.

use super::Lowering;
use super::scope::Home;
use crate::types::{RecordId, Type, Types};
use ir::forms::{Form, FormId, FormKind, Forms, Member};
use std::collections::BTreeMap;

impl Lowering<'_> {
    /// Notes the type of a variable of C.
    pub(super) fn note_form(&mut self, home: Home, ty: &Type) {
        match (home, ty) {
            (Home::Memory(block), ty) => self.forms.push((block, ty.clone())),
            (Home::Register(variable), Type::Pointer(pointee)) => {
                self.forms.push((variable, pointee.ty.clone()));
            }
            (Home::Register(_), _) => {}
        }
    }

    /// The forms of the variables whose types were noted.
    pub(super) fn noted_forms(&self) -> Forms {
        let mut making =
            Making { lowering: self, forms: Forms::default(), records: BTreeMap::new() };
        for (variable, ty) in &self.forms {
            let form = making.form(ty);
            making.forms.note(*variable, form);
        }
        making.forms
    }
}

struct Making<'a, 'b> {
    lowering: &'a Lowering<'b>,
    forms: Forms,
    records: BTreeMap<RecordId, FormId>,
}

impl Making<'_, '_> {
    fn types(&self) -> &Types {
        &self.lowering.types
    }

    fn form(&mut self, ty: &Type) -> FormId {
        if let Type::Record(id) = ty
            && let Some(known) = self.records.get(id)
        {
            return *known;
        }
        let size = match ty {
            Type::Void | Type::Function(_) => 0,
            ty => self.types().size(ty).map_or(0, i128::from),
        };
        let form = self.forms.add(Form { size, kind: FormKind::Scalar });
        let kind = match ty {
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Function(_) | Type::VaList => {
                FormKind::Scalar
            }
            Type::Pointer(pointee) => FormKind::Pointer(self.form(&pointee.ty)),
            Type::Array(array) => FormKind::Array(self.form(&array.element)),
            Type::Record(id) => {
                self.records.insert(*id, form);
                if let Some(tag) = self.types().record(*id).tag {
                    self.forms.call(form, self.lowering.name(tag).to_owned());
                }
                FormKind::Structure(self.members(*id))
            }
        };
        self.forms.set(form, Form { size, kind });
        form
    }

    /// The members that lie in bytes of their own.
    fn members(&mut self, id: RecordId) -> Vec<Member> {
        let layout = self.types().record(id).layout.clone().unwrap_or_default();
        let whole = layout.fields.into_iter().filter(|field| field.bits.is_none());
        let member = |field: crate::types::Field| {
            let name =
                field.name.map_or_else(String::new, |name| self.lowering.name(name).to_owned());
            let form = self.form(&field.ty);
            Member { name, offset: i128::from(field.offset), form }
        };
        whole.map(member).collect()
    }
}
