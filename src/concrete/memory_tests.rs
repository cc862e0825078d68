//! Cells of memory behave like bytes.

use super::*;
use ir::IntKind;
use proptest::prelude::*;

/// An access to a block of 32 bytes.
#[derive(Clone, Debug)]
enum Access {
    Store(usize, IntKind, i128),
    Load(usize, IntKind),
    Fill(usize, usize, u8),
    Copy(usize, usize, usize),
}

const SIZE: usize = 32;

fn accesses() -> impl Strategy<Value = Vec<Access>> {
    let kinds = prop::sample::select(vec![8, 16, 32, 64, 128]);
    let kind = (kinds, any::<bool>()).prop_map(|(bits, signed)| IntKind { bits, signed });
    let place = 0..SIZE - 16;
    let access = prop_oneof![
        (place.clone(), kind.clone(), any::<i64>()).prop_map(|(at, kind, value)| {
            Access::Store(at, kind, kind.wrap(value.into()).max(kind.min()))
        }),
        (place.clone(), kind).prop_map(|(at, kind)| Access::Load(at, kind)),
        (place.clone(), 0..16_usize, any::<u8>())
            .prop_map(|(at, size, byte)| Access::Fill(at, size, byte)),
        (place.clone(), place, 0..16_usize)
            .prop_map(|(to, from, size)| Access::Copy(to, from, size)),
    ];
    prop::collection::vec(access, 1..20)
}

/// The number in plain bytes: the clear version of a load.
fn plain_load(bytes: &[u8], kind: IntKind) -> Option<i128> {
    let mut all = [0; 16];
    let width = usize::from(kind.bits / 8);
    all[..width].copy_from_slice(&bytes[..width]);
    if kind.signed && bytes[width - 1] >= 128 {
        all[width..].fill(255);
    }
    let number = i128::from_le_bytes(all);
    (kind.signed || number >= 0).then_some(number)
}

fn int(number: usize) -> Value {
    Value::Int(i128::try_from(number).unwrap_or(0))
}

proptest! {
    #[test]
    fn cells_behave_like_bytes(accesses in accesses()) {
        let mut plain = [0_u8; SIZE];
        let mut memory = Memory::new(8);
        let size = int(SIZE);
        let new = memory.allocate(MemoryKind::Heap, size, InitialContent::Zero, Span::NOWHERE);
        let block = new.unwrap();
        let at = |offset: usize| {
            Value::Pointer(Pointer { block, offset: i128::try_from(offset).unwrap() })
        };
        for access in accesses {
            match access {
                Access::Store(to, kind, value) => {
                    let width = usize::from(kind.bits / 8);
                    plain[to..to + width].copy_from_slice(&value.to_le_bytes()[..width]);
                    memory.store(at(to), ScalarType::Int(kind), Value::Int(value)).unwrap();
                }
                Access::Load(from, kind) => {
                    let loaded = memory.load(at(from), ScalarType::Int(kind), &mut |_| 99);
                    let expected = plain_load(&plain[from..], kind);
                    prop_assert_eq!(loaded.ok().and_then(Value::as_int), expected);
                }
                Access::Fill(to, size, byte) => {
                    plain[to..to + size].fill(byte);
                    memory.fill(at(to), Value::Int(byte.into()), int(size)).unwrap();
                }
                Access::Copy(to, from, size) => {
                    plain.copy_within(from..from + size, to);
                    memory.copy(at(to), at(from), int(size), Overlap::Allowed).unwrap();
                }
            }
        }
    }
}
