//! The tokens of preprocessed C.

use std::ops::Range;

use logos::{FilterResult, Lexer, Logos, Skip};

use super::ast::{Attribute, CharacterLiteral, FloatLiteral, IntegerLiteral, StringKind};
use super::literal;
use super::name::{Names, Symbol};

/// What the raw lexer says about text that is no token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LexicalError {
    /// A character that starts no token.
    #[default]
    Stray,
    /// Anything else, in words.
    Message(String),
}

/// A token. Identifiers come as two tokens, [`Token::Name`] and then, once the
/// parser has settled its scopes, [`Token::Type`] or [`Token::Variable`].
#[derive(Clone, Debug, Logos, PartialEq)]
#[logos(extras = Names, error = LexicalError)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+|\\\r?\n|\u{feff}")]
#[logos(skip "__extension__|__cdecl|__stdcall|__fastcall|__near|__far")]
#[expect(missing_docs, reason = "a variant is the token that its attribute spells")]
pub enum Token {
    #[regex(r"[A-Za-z_$\u{C0}-\u{D7FF}][A-Za-z0-9_$\u{C0}-\u{D7FF}]*", |lexer| lexer.extras.intern(lexer.slice()), priority = 1)]
    Name(Symbol),
    /// The name before is a typedef name.
    Type(Symbol),
    /// The name before is no typedef name.
    Variable(Symbol),
    /// A file ends, and another one begins.
    EndOfFile,
    /// An attribute that matters, already taken out of its parentheses.
    Attribute(Attribute),
    #[regex(r"\.?[0-9]([0-9A-Za-z_.]|[eEpP][+-]|'[0-9A-Za-z_])*", number)]
    Number(Number),
    Integer(IntegerLiteral),
    Floating(FloatLiteral),
    #[regex(r"(L|u8|u|U)?'([^'\\\n]|\\[^\n])*'", |lexer| literal::character(lexer.slice()))]
    Character(CharacterLiteral),
    #[regex(r#"(L|u8|u|U)?"([^"\\\n]|\\[^\n]|\\\n)*""#, |lexer| literal::string(lexer.slice()))]
    String(StringPart),
    #[token("'", |_| unterminated("character constant"))]
    #[token("\"", |_| unterminated("string literal"))]
    #[token("/*", comment)]
    // A backslash at the end of a line continues the comment on the next one.
    #[regex(r"//([^\n\\]|\\[ \t\r\x0B\x0C]*\n|\\)*", |_| Skip, allow_greedy = true)]
    Comment,
    #[regex(r"#[^\n]*", allow_greedy = true)]
    Directive,
    #[token("__attribute__")]
    #[token("__attribute")]
    AttributeList,
    #[token("__declspec")]
    Declspec,

    #[token("auto")]
    Auto,
    #[token("break")]
    Break,
    #[token("case")]
    Case,
    #[token("char")]
    Char,
    #[token("const")]
    #[token("__const")]
    #[token("__const__")]
    Const,
    #[token("continue")]
    Continue,
    #[token("default")]
    Default,
    #[token("do")]
    Do,
    #[token("double")]
    Double,
    #[token("else")]
    Else,
    #[token("enum")]
    Enum,
    #[token("extern")]
    Extern,
    #[token("float")]
    Float,
    #[token("for")]
    For,
    #[token("goto")]
    Goto,
    #[token("if")]
    If,
    #[token("inline")]
    #[token("__inline")]
    #[token("__inline__")]
    #[token("__forceinline")]
    Inline,
    #[token("int")]
    Int,
    #[token("long")]
    Long,
    #[token("register")]
    Register,
    #[token("restrict")]
    #[token("__restrict")]
    #[token("__restrict__")]
    Restrict,
    #[token("return")]
    Return,
    #[token("short")]
    Short,
    #[token("signed")]
    #[token("__signed")]
    #[token("__signed__")]
    Signed,
    #[token("sizeof")]
    Sizeof,
    #[token("static")]
    Static,
    #[token("struct")]
    Struct,
    #[token("switch")]
    Switch,
    #[token("typedef")]
    Typedef,
    #[token("union")]
    Union,
    #[token("unsigned")]
    Unsigned,
    #[token("void")]
    Void,
    #[token("volatile")]
    #[token("__volatile")]
    #[token("__volatile__")]
    Volatile,
    #[token("while")]
    While,
    #[token("_Alignas")]
    Alignas,
    #[token("_Alignof")]
    Alignof,
    #[token("__alignof")]
    #[token("__alignof__")]
    PreferredAlignof,
    #[token("_Atomic")]
    Atomic,
    /// `_Atomic` before a parenthesis.
    AtomicOf,
    /// `vector_size`, taken out of its parentheses.
    VectorSize,
    #[token("_Bool")]
    Bool,
    #[token("_Complex")]
    #[token("__complex__")]
    Complex,
    #[token("_Generic")]
    Generic,
    #[token("_Noreturn")]
    Noreturn,
    #[token("_Static_assert")]
    StaticAssert,
    #[token("_Thread_local")]
    #[token("__thread")]
    ThreadLocal,
    #[token("asm")]
    #[token("__asm")]
    #[token("__asm__")]
    Asm,
    #[token("typeof")]
    #[token("__typeof")]
    #[token("__typeof__")]
    Typeof,
    #[token("__auto_type")]
    AutoType,
    #[token("__int128")]
    #[token("__int128_t")]
    Int128,
    #[token("__uint128_t")]
    Uint128,
    #[token("_Float16", |_| 2)]
    #[token("_Float32", |_| 4)]
    #[token("_Float64", |_| 8)]
    #[token("_Float32x", |_| 8)]
    #[token("_Float64x", |_| 16)]
    #[token("_Float128", |_| 16)]
    #[token("__float128", |_| 16)]
    #[token("__float80", |_| 16)]
    ExtendedFloat(u8),
    #[token("__label__")]
    LocalLabel,
    #[token("__real__")]
    #[token("__real")]
    #[token("__imag__")]
    #[token("__imag")]
    ComplexPart,
    #[token("__builtin_va_arg")]
    VaArg,
    #[token("__builtin_offsetof")]
    Offsetof,
    #[token("__builtin_types_compatible_p")]
    TypesCompatible,

    #[token("(")]
    ParenOpen,
    #[token(")")]
    ParenClose,
    #[token("[")]
    #[token("<:")]
    BracketOpen,
    #[token("]")]
    #[token(":>")]
    BracketClose,
    #[token("{")]
    #[token("<%")]
    BraceOpen,
    #[token("}")]
    #[token("%>")]
    BraceClose,
    #[token(".")]
    Dot,
    #[token("->")]
    Arrow,
    #[token("++")]
    Increment,
    #[token("--")]
    Decrement,
    #[token("&")]
    Ampersand,
    #[token("*")]
    Star,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("~")]
    Tilde,
    #[token("!")]
    Bang,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("<=")]
    LessEqual,
    #[token(">=")]
    GreaterEqual,
    #[token("==")]
    EqualEqual,
    #[token("!=")]
    BangEqual,
    #[token("^")]
    Caret,
    #[token("|")]
    Bar,
    #[token("&&")]
    AndAnd,
    #[token("||")]
    BarBar,
    #[token("?")]
    Question,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token("...")]
    Ellipsis,
    #[token("=")]
    Equal,
    #[token("*=")]
    StarEqual,
    #[token("/=")]
    SlashEqual,
    #[token("%=")]
    PercentEqual,
    #[token("+=")]
    PlusEqual,
    #[token("-=")]
    MinusEqual,
    #[token("<<=")]
    ShiftLeftEqual,
    #[token(">>=")]
    ShiftRightEqual,
    #[token("&=")]
    AmpersandEqual,
    #[token("^=")]
    CaretEqual,
    #[token("|=")]
    BarEqual,
    #[token(",")]
    Comma,
}

/// A string literal before it is joined with its neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringPart {
    /// What its prefix says.
    pub kind: StringKind,
    /// What stands between its quotes.
    pub body: Box<str>,
}

/// A number before the stream splits it into its two kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// An integer constant.
    Integer(IntegerLiteral),
    /// A floating constant.
    Floating(FloatLiteral),
}

/// Where the tokens of a text stand, that is no file yet: what starts none counts as one.
#[must_use]
pub fn spans(text: &str) -> Vec<Range<usize>> {
    let mut lexer = Token::lexer_with_extras(text, Names::default());
    let mut spans = Vec::new();
    while lexer.next().is_some() {
        spans.push(lexer.span());
    }
    spans
}

fn number(lexer: &mut Lexer<'_, Token>) -> Result<Number, LexicalError> {
    // C23 allows separators between digits.
    literal::number(&lexer.slice().replace('\'', ""))
}

fn unterminated(what: &str) -> Result<(), LexicalError> {
    Err(LexicalError::Message(format!("unterminated {what}")))
}

/// Skips to the end of a block comment.
fn comment(lexer: &mut Lexer<'_, Token>) -> FilterResult<(), LexicalError> {
    if let Some(length) = lexer.remainder().find("*/") {
        lexer.bump(length + 2);
        return FilterResult::Skip;
    }
    let length = lexer.remainder().len();
    lexer.bump(length);
    FilterResult::Error(LexicalError::Message("unterminated comment".to_owned()))
}
