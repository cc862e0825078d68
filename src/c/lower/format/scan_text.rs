//! `sscanf` on bytes: what is found in a text, one conversion after the other. Runs read it as the
//! library does; for symbolic execution the summaries of the models say nothing of what is found.

use super::NO_LIMIT;
use super::directive::{Conversion, Number, Size, Stored};
use super::scan::{Scanning, bounds};
use crate::lower::access::{Lvalue, Site};
use crate::lower::convert::Value;
use crate::lower::{Lowered, Lowering, fold};
use crate::types::{Integer, Type};
use ir::{BinaryOp, Command, Expr, ScalarType, Terminator};
use wane_grammar::c::place::Place;

/// Whether a character of a format stands for any number of blanks.
pub(super) fn is_blank(letter: char) -> bool {
    matches!(letter, ' ' | '\t'..='\r')
}

impl Lowering<'_> {
    /// Where a text is read next: at its start.
    pub(super) fn begin_text(&mut self, text: &Value, place: Place) -> Value {
        let at = self.temporary(ScalarType::Pointer, place);
        self.emit(Command::Assign { target: at, value: text.expr.clone() }, place);
        Value::new(text.ty.clone(), at)
    }

    /// What a function of the models finds where the text is read next.
    fn find(
        &mut self,
        helper: &str,
        (at, more): (&Value, &[Value]),
        scanning: &Scanning<'_>,
    ) -> Lowered<Value> {
        let values = [std::slice::from_ref(at), more].concat();
        self.helper(helper, scanning.name, values, scanning.place)
    }

    /// The text is read so many bytes further on next.
    fn go_on_by(&mut self, at: &Value, bytes: Expr, place: Place) {
        if let Expr::Variable(target) = at.expr {
            let value = Expr::binary(BinaryOp::Add, target.into(), bytes);
            self.emit(Command::Assign { target, value }, place);
        }
    }

    /// Blanks of a format, and those before most conversions, are any number of blanks.
    pub(super) fn skip_blanks(&mut self, at: &Value, scanning: &Scanning<'_>) -> Lowered<()> {
        let length = self.find("__model_blanks", (at, &[]), scanning)?;
        self.go_on_by(at, length.expr, scanning.place);
        Ok(())
    }

    /// Letters of a format stand for themselves.
    pub(super) fn scan_letters(
        &mut self,
        letters: &str,
        at: &Value,
        scanning: &Scanning<'_>,
    ) -> Lowered<()> {
        for letter in letters.chars() {
            if is_blank(letter) {
                self.skip_blanks(at, scanning)?;
                continue;
            }
            // It stands for `%%`, which reads over blanks as conversions do.
            if letter == '%' {
                self.skip_blanks(at, scanning)?;
            }
            let found = self.find("__model_byte_at", (at, &[]), scanning)?;
            let letter = Expr::Constant(u32::from(letter).into());
            self.unless_there(fold::binary(BinaryOp::Equal, found.expr, letter), at, scanning)?;
            self.go_on_by(at, Expr::Constant(1), scanning.place);
        }
        Ok(())
    }

    /// The call ends here unless something is there: with the number of what was stored, or with -1
    /// if the text ends before the first.
    fn unless_there(&mut self, is_there: Expr, at: &Value, scanning: &Scanning<'_>) -> Lowered<()> {
        let (place, span) = (scanning.place, self.span(scanning.place));
        let (stop, next) = (self.body.block(span), self.body.block(span));
        self.branch_on(is_there, next, stop, place);
        self.body.current = stop;
        if scanning.n_stored == 0 {
            let found = self.find("__model_byte_at", (at, &[]), scanning)?;
            let is_end = fold::binary(BinaryOp::Equal, found.expr, Expr::Constant(0));
            let value = fold::binary(BinaryOp::Subtract, Expr::Constant(0), is_end);
            self.emit(Command::Assign { target: scanning.result, value }, place);
        } else {
            let value = Expr::Constant(scanning.n_stored);
            self.emit(Command::Assign { target: scanning.result, value }, place);
        }
        self.body.terminate(Terminator::Goto(scanning.end), span);
        self.body.current = next;
        Ok(())
    }

    /// A conversion of a text; whether it is followed.
    pub(super) fn scan_text_conversion(
        &mut self,
        conversion: &Conversion,
        (text, at): (&Value, &Value),
        scanning: &mut Scanning<'_>,
    ) -> Lowered<bool> {
        let place = scanning.place;
        let width = match conversion.width {
            Number::Given(width) => Some(width),
            Number::Absent | Number::Argument => None,
        };
        let most = self.number_of_bytes(width.unwrap_or(NO_LIMIT));
        let base = |it: i128| Value::new(Type::INT, it);
        let length = match conversion.letter {
            's' | 'c' if conversion.size != Size::Int => return Ok(false),
            'n' => {
                let bytes = fold::binary(BinaryOp::Subtract, at.expr.clone(), text.expr.clone());
                self.store_number((conversion, bytes), scanning)?;
                return Ok(true);
            }
            'c' => {
                let most = self.number_of_bytes(width.unwrap_or(1));
                let helper = "__model_letters_length";
                let length = self.find(helper, (at, std::slice::from_ref(&most)), scanning)?;
                self.unless_there(fold::truth(length.expr.clone()), at, scanning)?;
                length
            }
            letter => {
                let (helper, more) = match letter {
                    's' => ("__model_word_length", vec![most]),
                    'd' | 'u' => ("__model_number_length", vec![base(10), most]),
                    'x' | 'X' => ("__model_number_length", vec![base(16), most]),
                    'o' => ("__model_number_length", vec![base(8), most]),
                    'i' => ("__model_number_length", vec![base(0), most]),
                    'f' | 'F' | 'e' | 'E' | 'g' | 'G' => ("__model_float_length", vec![most]),
                    _ => return Ok(false),
                };
                self.skip_blanks(at, scanning)?;
                let length = self.find(helper, (at, &more), scanning)?;
                self.unless_there(fold::truth(length.expr.clone()), at, scanning)?;
                length
            }
        };
        if conversion.stored == Stored::Yes {
            self.store_found(conversion, (at, &length), scanning)?;
            scanning.n_stored += 1;
        }
        self.go_on_by(at, length.expr, place);
        Ok(true)
    }

    /// Stores what is found in so many bytes.
    fn store_found(
        &mut self,
        conversion: &Conversion,
        (at, length): (&Value, &Value),
        scanning: &mut Scanning<'_>,
    ) -> Lowered<()> {
        let (name, place) = (scanning.name, scanning.place);
        let base = match conversion.letter {
            'd' | 'u' => 10,
            'x' | 'X' => 16,
            'o' => 8,
            'i' => 0,
            letter => {
                let Some(target) = self.target_of(scanning) else { return Ok(()) };
                let helper = match letter {
                    's' => "__model_scan_word",
                    'c' => "__model_scan_letters",
                    _ => return self.scan_into(conversion, target, scanning),
                };
                let values = vec![target, at.clone(), length.clone()];
                return self.helper(helper, name, values, place).map(|_| ());
            }
        };
        let more = [Value::new(Type::INT, base), length.clone()];
        let value = self.find("__model_number_value", (at, &more), scanning)?;
        self.store_number((conversion, value.expr), scanning)
    }

    /// Stores a number, which fits the type: all others are undefined. One with a sign turns round
    /// where the type has none.
    fn store_number(
        &mut self,
        (conversion, number): (&Conversion, Expr),
        scanning: &mut Scanning<'_>,
    ) -> Lowered<()> {
        let place = scanning.place;
        let Some(target) = self.target_of(scanning) else { return Ok(()) };
        let ty = self.integer_of_size(conversion.size, conversion.letter);
        let scalar = self.types.scalar(&ty);
        let (Type::Pointer(_), Some(ScalarType::Int(kind))) = (&target.ty, scalar) else {
            self.refuse_argument(conversion.letter, scanning);
            return Ok(());
        };
        let most = kind.max();
        let ranges =
            [Some([if kind.signed { kind.min() } else { -most }, most]), bounds(conversion)];
        for [low, high] in ranges.into_iter().flatten() {
            for (op, bound) in [(BinaryOp::GreaterEqual, low), (BinaryOp::LessEqual, high)] {
                let condition = fold::binary(op, number.clone(), Expr::Constant(bound));
                self.emit(Command::Assume { condition }, place);
            }
        }
        let wide = Value::new(Type::Int(Integer::LongLong), number);
        let value = self.convert(wide, &ty, place)?;
        let target = Lvalue { ty, site: Site::Memory(target.expr) };
        self.store(&target, value, place).map(|_| ())
    }
}
