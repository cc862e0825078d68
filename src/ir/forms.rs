//! What the program calls the parts of what lies in memory, and of which types they are. Reports
//! read this, and rule BOUNDS (`slice::bounds`), which takes types at their word.
//!
//! A *form* is a type of C as far as a person sees it in an address: where the members of a
//! structure lie, how long the elements of an array are, what a pointer points at.

use super::Variable;
use base::typed_index;
use std::collections::BTreeMap;

typed_index!(
    /// A form.
    FormId
);

/// Elements of arrays of pointers are compared one by one up to so many.
const MOST_COMPARED: i128 = 64;

/// The forms of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Forms {
    forms: Vec<Form>,
    /// The form of the block whose address a variable holds.
    of: BTreeMap<Variable, FormId>,
    /// What structures and unions are called that have names.
    names: BTreeMap<FormId, String>,
}

/// A form, and its size in bytes; 0 where that is not known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// Bytes.
    pub size: i128,
    /// What it is.
    pub kind: FormKind,
}

/// What a form is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FormKind {
    /// A number, or something that nothing is known of.
    Scalar,
    /// A pointer, and what it points at.
    Pointer(FormId),
    /// An array.
    Array(FormId),
    /// A structure or union.
    Structure(Vec<Member>),
}

/// A member of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// Empty for anonymous structures and unions.
    pub name: String,
    /// Bytes from the start.
    pub offset: i128,
    /// Its form.
    pub form: FormId,
}

/// A scalar in a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// How it is reached from the block: `.link.next`, `[3].key`; empty if it is the block.
    pub path: String,
    /// The form of what it points at, if it is a pointer, and members of a union agree.
    pub pointee: Option<FormId>,
}

impl Forms {
    /// A new form; [`Self::set`] may say later what it is.
    pub fn add(&mut self, form: Form) -> FormId {
        self.forms.push(form);
        FormId::at(self.forms.len() - 1)
    }

    /// Says what a form is.
    pub fn set(&mut self, id: FormId, form: Form) {
        if let Some(known) = self.forms.get_mut(id.index()) {
            *known = form;
        }
    }

    /// Says what a structure or union is called.
    pub fn call(&mut self, id: FormId, name: String) {
        self.names.insert(id, name);
    }

    /// What a structure or union is called; empty if it has no name.
    #[must_use]
    pub fn name(&self, id: FormId) -> &str {
        self.names.get(&id).map_or("", String::as_str)
    }

    /// Says of what form the block is whose address a variable holds.
    pub fn note(&mut self, variable: Variable, form: FormId) {
        self.of.insert(variable, form);
    }

    /// Says that a variable is a copy of another one.
    pub fn note_copy(&mut self, copy: Variable, of: Variable) {
        if let Some(form) = self.of.get(&of).copied() {
            self.note(copy, form);
        }
    }

    /// The form of the block whose address a variable holds.
    #[must_use]
    pub fn of(&self, variable: Variable) -> Option<FormId> {
        self.of.get(&variable).copied()
    }

    /// The bytes of something of this form; 0 where that is not known.
    #[must_use]
    pub fn size(&self, id: FormId) -> i128 {
        self.forms.get(id.index()).map_or(0, |form| form.size)
    }

    /// What the elements are of, if it is an array, of elements that are none.
    #[must_use]
    pub fn element(&self, id: FormId) -> FormId {
        match self.forms.get(id.index()).map(|form| &form.kind) {
            Some(FormKind::Array(element)) => self.element(*element),
            _ => id,
        }
    }

    /// Whether there is something like that form so many bytes behind the start of another one.
    #[must_use]
    pub fn has_part(&self, id: FormId, offset: i128, part: FormId) -> bool {
        let Some(Form { kind, .. }) = self.forms.get(id.index()) else { return false };
        let part = self.element(part);
        (offset == 0 && self.is_like(id, part) && self.leads_alike(id, 0, part))
            || match kind {
                FormKind::Scalar | FormKind::Pointer(_) => false,
                FormKind::Array(element) => match self.size(*element) {
                    size @ 1.. => self.has_part(*element, offset.rem_euclid(size), part),
                    _ => false,
                },
                FormKind::Structure(members) => members.iter().any(|member| {
                    let at = offset - member.offset;
                    (0..self.size(member.form)).contains(&at)
                        && self.has_part(member.form, at, part)
                }),
            }
    }

    /// Whether pointers lie so many bytes behind the start of a form where another one has some, and
    /// lead to as many bytes as those do.
    fn leads_alike(&self, id: FormId, offset: i128, other: FormId) -> bool {
        if id == other && offset == 0 {
            return true;
        }
        let Some(Form { size, kind }) = self.forms.get(other.index()) else { return false };
        match kind {
            FormKind::Scalar => true,
            FormKind::Pointer(pointee) => self
                .pointee(id, offset, *size)
                .is_some_and(|found| found == *pointee || self.size(found) == self.size(*pointee)),
            FormKind::Array(_) if !self.has_pointers(other, (0, i128::MAX)) => true,
            FormKind::Array(element) => {
                let n = size.checked_div(self.size(*element)).unwrap_or(0);
                let each = self.size(*element);
                n <= MOST_COMPARED
                    && (0..n).all(|index| self.leads_alike(id, offset + index * each, *element))
            }
            FormKind::Structure(members) => {
                members.iter().all(|it| self.leads_alike(id, offset + it.offset, it.form))
            }
        }
    }

    /// Whether a form is another one, or somewhere in it.
    #[must_use]
    pub fn contains(&self, whole: FormId, part: FormId) -> bool {
        whole == part
            || match self.forms.get(whole.index()).map(|it| &it.kind) {
                Some(FormKind::Array(element)) => self.contains(*element, part),
                Some(FormKind::Structure(members)) => {
                    members.iter().any(|it| self.contains(it.form, part))
                }
                _ => false,
            }
    }

    /// Whether something is as large as another thing, and has pointers if that has any.
    fn is_like(&self, id: FormId, other: FormId) -> bool {
        let has = |it: FormId| self.has_pointers(it, (0, i128::MAX));
        self.size(id) == self.size(other) && (!has(other) || has(id))
    }

    /// Whether nothing of the one form lies in something of the other, nor the other way round. Of
    /// what has no size that is not known.
    #[must_use]
    pub fn are_apart(&self, one: FormId, other: FormId) -> bool {
        let [one, other] = [one, other].map(|it| self.element(it));
        let have_sizes = self.size(one) > 0 && self.size(other) > 0;
        have_sizes && !self.may_hold(one, other) && !self.may_hold(other, one)
    }

    /// Whether something like a form may lie in something of another one: as a part, or where
    /// there are bytes enough.
    #[must_use]
    pub fn may_hold(&self, whole: FormId, part: FormId) -> bool {
        let Some(Form { size, kind }) = self.forms.get(whole.index()) else { return true };
        self.is_like(whole, part)
            || match kind {
                FormKind::Scalar | FormKind::Pointer(_) => false,
                FormKind::Array(element) => {
                    let are_bytes = self.size(*element) == 1 && self.size(part) <= *size;
                    are_bytes || self.may_hold(*element, part)
                }
                FormKind::Structure(members) => {
                    members.iter().any(|it| self.may_hold(it.form, part))
                }
            }
    }

    /// Whether it is a number, or something that nothing is known of.
    #[must_use]
    pub fn is_scalar(&self, id: FormId) -> bool {
        self.forms.get(id.index()).is_none_or(|it| it.kind == FormKind::Scalar)
    }

    /// Whether it is a structure or union.
    #[must_use]
    pub fn is_structure(&self, id: FormId) -> bool {
        self.forms.get(id.index()).is_some_and(|it| matches!(it.kind, FormKind::Structure(_)))
    }

    /// Whether pointers may lie in these bytes of something of this form.
    #[must_use]
    pub fn has_pointers(&self, id: FormId, (from, to): (i128, i128)) -> bool {
        let Some(Form { size, kind }) = self.forms.get(id.index()) else { return true };
        let is_outside = |at: i128, size: i128| at + size <= from || to <= at;
        match kind {
            FormKind::Scalar => false,
            FormKind::Pointer(_) => !is_outside(0, *size),
            FormKind::Array(element) => self.has_pointers(*element, (0, i128::MAX)),
            FormKind::Structure(members) => members.iter().any(|member| {
                let size = self.size(member.form);
                let at = |byte: i128| byte.saturating_sub(member.offset);
                !is_outside(member.offset, size)
                    && self.has_pointers(member.form, (at(from), at(to)))
            }),
        }
    }

    /// The array that lies at an offset of something of this form, as a member of it, if what is a
    /// multiple of so many bytes further on is at the same place in another element: where it begins
    /// and ends, and what its elements are.
    #[must_use]
    pub fn row(&self, id: FormId, offset: i128, step: i128) -> Option<(i128, i128, FormId)> {
        match &self.forms.get(id.index())?.kind {
            FormKind::Scalar | FormKind::Pointer(_) => None,
            FormKind::Array(element) => {
                let is_element = step.checked_rem_euclid(self.size(*element)) == Some(0);
                is_element.then(|| (0, self.size(id), *element))
            }
            FormKind::Structure(members) => {
                let holds =
                    |it: &&Member| (it.offset..it.offset + self.size(it.form)).contains(&offset);
                // Members of a union may be of several types.
                let mut holders = members.iter().filter(holds);
                let (member, None) = (holders.next()?, holders.next()) else { return None };
                let (from, to, element) = self.row(member.form, offset - member.offset, step)?;
                Some((from + member.offset, to + member.offset, element))
            }
        }
    }

    /// In what that lies which is so many bytes behind something of a form, and behind multiples of a
    /// number of bytes more, and how far behind its start: in the form itself, or, unless it leaves
    /// that, in an element of an array that is a member of it.
    #[must_use]
    pub fn within(&self, form: FormId, (bytes, step): (i128, i128)) -> Option<(FormId, i128)> {
        let size = self.size(form);
        if step.checked_rem_euclid(size)? == 0 {
            return Some((form, bytes.rem_euclid(size)));
        }
        let (from, _, element) = self.row(form, bytes, step)?;
        Some((element, (bytes - from).checked_rem_euclid(self.size(element))?))
    }

    /// The scalar of so many bytes at an offset of something of this form.
    #[must_use]
    pub fn part(&self, id: FormId, offset: i128, bytes: i128) -> Option<Part> {
        let Form { size, kind } = self.forms.get(id.index())?;
        let whole = |pointee: Option<FormId>| {
            (offset == 0 && *size == bytes).then(|| Part { path: String::new(), pointee })
        };
        match kind {
            FormKind::Scalar => whole(None),
            FormKind::Pointer(pointee) => whole(Some(*pointee)),
            FormKind::Array(element) => {
                let stride = self.forms.get(element.index())?.size;
                let is_inside = *size == 0 || (0 <= offset && offset + bytes <= *size);
                let index = offset.checked_div_euclid(stride)?;
                let inner = self.part(*element, offset.rem_euclid(stride), bytes)?;
                is_inside.then(|| Part { path: format!("[{index}]{}", inner.path), ..inner })
            }
            FormKind::Structure(members) => {
                let part = |member: &Member| {
                    let inner = offset.checked_sub(member.offset).filter(|it| *it >= 0)?;
                    let part = self.part(member.form, inner, bytes)?;
                    let dot = if member.name.is_empty() { "" } else { "." };
                    Some(Part { path: format!("{dot}{}{}", member.name, part.path), ..part })
                };
                let mut found = members.iter().filter_map(part);
                let first = found.next()?;
                let others: Vec<FormId> = found.filter_map(|it| it.pointee).collect();
                let pointee = first.pointee.or(others.first().copied());
                let agree = others.iter().all(|it| Some(*it) == pointee);
                Some(Part { pointee: pointee.filter(|_| agree), ..first })
            }
        }
    }

    /// What the pointer of so many bytes leads to that lies there.
    #[must_use]
    pub fn pointee(&self, id: FormId, offset: i128, bytes: i128) -> Option<FormId> {
        self.part(id, offset, bytes)?.pointee
    }

    /// The innermost structure with the pointer of so many bytes as a member that lies there, and
    /// where in that it does; nothing for elements of arrays, and where members share bytes.
    #[must_use]
    pub fn holder(&self, id: FormId, offset: i128, bytes: i128) -> Option<(FormId, i128)> {
        match &self.forms.get(id.index())?.kind {
            FormKind::Scalar | FormKind::Pointer(_) => None,
            FormKind::Array(element) => {
                let at = offset.checked_rem_euclid(self.size(*element))?;
                self.holder(*element, at, bytes)
            }
            FormKind::Structure(members) => {
                let is_there =
                    |it: &&Member| (it.offset..it.offset + self.size(it.form)).contains(&offset);
                let mut there = members.iter().filter(is_there);
                let member = there.next().filter(|_| there.next().is_none())?;
                let Form { size, kind } = self.forms.get(member.form.index())?;
                match kind {
                    FormKind::Pointer(_) => {
                        (member.offset == offset && *size == bytes).then_some((id, offset))
                    }
                    _ => self.holder(member.form, offset - member.offset, bytes),
                }
            }
        }
    }

    /// The same in a block of some bytes that a pointer to this form points at: there may be
    /// several of them in a row.
    #[must_use]
    pub fn part_of_row(
        &self,
        (id, size): (FormId, Option<i128>),
        offset: i128,
        bytes: i128,
    ) -> Option<Part> {
        let form = self.forms.get(id.index())?;
        let index = offset.checked_div_euclid(form.size)?;
        let part = self.part(id, offset.rem_euclid(form.size), bytes)?;
        let is_alone = index == 0
            && match form.kind {
                FormKind::Scalar | FormKind::Pointer(_) => size == Some(form.size),
                FormKind::Array(_) | FormKind::Structure(_) => {
                    size.is_none_or(|size| size < 2 * form.size)
                }
            };
        let index = if is_alone { String::new() } else { format!("[{index}]") };
        Some(Part { path: format!("{index}{}", part.path), ..part })
    }
}

impl Part {
    /// The part of the block that a pointer with this name points at.
    #[must_use]
    pub fn behind(&self, pointer: &str) -> String {
        match self.path.strip_prefix('.') {
            Some(member) => format!("{pointer}->{member}"),
            None if self.path.is_empty() => format!("*{pointer}"),
            None => format!("{pointer}{}", self.path),
        }
    }

    /// The part of the block as one says it who knows the block.
    #[must_use]
    pub fn inside(&self) -> &str {
        match self.path.strip_prefix('.') {
            Some(member) => member,
            None if self.path.is_empty() => "*",
            None => &self.path,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, FormId, FormKind, Forms, Member};

    /// `struct node { int key; struct node *next; struct { char c[4]; } }`, a pointer to it, an
    /// `int`.
    fn forms() -> (Forms, [FormId; 3]) {
        let mut forms = Forms::default();
        let scalar = |size| Form { size, kind: FormKind::Scalar };
        let (int, char) = (forms.add(scalar(4)), forms.add(scalar(1)));
        let node = forms.add(scalar(0));
        let pointer = forms.add(Form { size: 8, kind: FormKind::Pointer(node) });
        let array = forms.add(Form { size: 4, kind: FormKind::Array(char) });
        let member = |name: &str, offset, form| Member { name: name.to_owned(), offset, form };
        let inner = FormKind::Structure(vec![member("c", 0, array)]);
        let inner = forms.add(Form { size: 4, kind: inner });
        let members =
            vec![member("key", 0, int), member("next", 8, pointer), member("", 16, inner)];
        forms.set(node, Form { size: 24, kind: FormKind::Structure(members) });
        (forms, [node, pointer, int])
    }

    #[test]
    fn parts_are_called_as_in_c() {
        let (forms, [node, pointer, int]) = forms();
        let path = |form, offset, bytes| forms.part(form, offset, bytes).map(|it| it.path);
        assert_eq!(path(node, 0, 4).as_deref(), Some(".key"));
        assert_eq!(path(node, 8, 8).as_deref(), Some(".next"));
        assert_eq!(path(node, 18, 1).as_deref(), Some(".c[2]"));
        assert_eq!(path(pointer, 0, 8).as_deref(), Some(""));
        // No scalar lies there.
        assert_eq!([path(node, 4, 4), path(node, 0, 8), path(int, 4, 4)], [None, None, None]);
        assert_eq!(forms.part(node, 8, 8).and_then(|it| it.pointee), Some(node));
    }

    /// `struct { struct node *table[2]; int *number; union { struct node *one; int *other; }; }`
    #[test]
    fn what_lies_behind_an_array_is_none_of_its_elements() {
        let (mut forms, [node, pointer, int]) = forms();
        let table = forms.add(Form { size: 16, kind: FormKind::Array(pointer) });
        let number = forms.add(Form { size: 8, kind: FormKind::Pointer(int) });
        let member = |offset, form| Member { name: "m".to_owned(), offset, form };
        let either = FormKind::Structure(vec![member(0, pointer), member(0, number)]);
        let either = forms.add(Form { size: 8, kind: either });
        let members = vec![member(0, table), member(16, number), member(24, either)];
        let whole = forms.add(Form { size: 32, kind: FormKind::Structure(members) });
        let pointees = [0, 8, 16, 24, 32].map(|offset| forms.pointee(whole, offset, 8));
        assert_eq!(pointees, [Some(node), Some(node), Some(int), None, None]);
        assert_eq!(forms.part(whole, 16, 8).and_then(|it| it.pointee), Some(int));
        assert_eq!(forms.part(whole, 8, 8).map(|it| it.path).as_deref(), Some(".m[1]"));
    }

    #[test]
    fn a_pointer_may_lead_to_a_row() {
        let (forms, [node, _, int]) = forms();
        let part = |form, size, offset, bytes| forms.part_of_row((form, size), offset, bytes);
        let alone = part(node, Some(24), 8, 8).unwrap();
        assert_eq!((alone.behind("p"), alone.inside()), ("p->next".to_owned(), "next"));
        let second = part(node, Some(72), 32, 8).unwrap();
        assert_eq!((second.behind("p"), second.inside()), ("p[1].next".to_owned(), "[1].next"));
        assert_eq!(part(node, Some(72), 0, 4).unwrap().behind("p"), "p[0].key");
        assert_eq!(part(int, Some(4), 0, 4).unwrap().behind("p"), "*p");
        assert_eq!(part(int, None, 8, 4).unwrap().behind("p"), "p[2]");
    }
}
