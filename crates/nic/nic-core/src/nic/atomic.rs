//! Atomic memory operations as the target's NIC performs them: an operation on every element of a
//! range of memory.
//!
//! Operations, types and their numbers are libfabric's (`fi_atomic(3)`), because its users know
//! them. The operations on the wire are fewer and have other numbers (`wire::hpc_ethernet::amo`).
//! Elements lie in memory in the machine's byte order and need no alignment. The caller holds the
//! lock that makes the range its own: the NIC's operations are atomic with each other, not with
//! stores of the processor.

use serde::{Deserialize, Serialize};

/// What an operation does to an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum AtomicOperation {
    /// The lesser of operand and target.
    Min = 0,
    /// The greater of operand and target.
    Max = 1,
    /// Sum of operand and target; integers wrap.
    Sum = 2,
    /// Product of operand and target; integers wrap.
    Product = 3,
    /// 1 if operand or target is not zero.
    LogicalOr = 4,
    /// 1 if neither operand nor target is zero.
    LogicalAnd = 5,
    BitwiseOr = 6,
    BitwiseAnd = 7,
    /// 1 if exactly one of operand and target is not zero.
    LogicalXor = 8,
    /// Bitwise exclusive or.
    BitwiseXor = 9,
    /// Leaves the target unchanged and fetches it.
    Read = 10,
    /// The operand.
    Write = 11,
    /// The operand if comparand and target have the same bits.
    SwapIfEqual = 12,
    /// The operand if comparand and target have different bits.
    SwapIfNotEqual = 13,
    /// The operand if comparand <= target.
    SwapIfLessOrEqual = 14,
    /// The operand if comparand < target.
    SwapIfLess = 15,
    /// The operand if comparand >= target.
    SwapIfGreaterOrEqual = 16,
    /// The operand if comparand > target.
    SwapIfGreater = 17,
    /// The operand's bits where the comparand has ones, the target's elsewhere.
    MaskedSwap = 18,
}

impl AtomicOperation {
    /// All operations, in the order of their numbers.
    pub const ALL: [Self; 19] = [
        Self::Min,
        Self::Max,
        Self::Sum,
        Self::Product,
        Self::LogicalOr,
        Self::LogicalAnd,
        Self::BitwiseOr,
        Self::BitwiseAnd,
        Self::LogicalXor,
        Self::BitwiseXor,
        Self::Read,
        Self::Write,
        Self::SwapIfEqual,
        Self::SwapIfNotEqual,
        Self::SwapIfLessOrEqual,
        Self::SwapIfLess,
        Self::SwapIfGreaterOrEqual,
        Self::SwapIfGreater,
        Self::MaskedSwap,
    ];

    /// The operation of this number.
    #[must_use]
    pub fn of_number(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }

    /// Whether it takes a comparand in addition to its operand.
    #[must_use]
    pub const fn compares(self) -> bool {
        self as u8 >= Self::SwapIfEqual as u8
    }

    /// Whether it takes an operand.
    #[must_use]
    pub const fn has_operand(self) -> bool {
        !matches!(self, Self::Read)
    }
}

/// Type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum AtomicType {
    /// Signed, 1 B.
    Int8 = 0,
    /// Unsigned, 1 B.
    Uint8 = 1,
    /// Signed, 2 B.
    Int16 = 2,
    /// Unsigned, 2 B.
    Uint16 = 3,
    /// Signed, 4 B.
    Int32 = 4,
    /// Unsigned, 4 B.
    Uint32 = 5,
    /// Signed, 8 B.
    Int64 = 6,
    /// Unsigned, 8 B.
    Uint64 = 7,
    /// IEEE 754, 4 B.
    Float = 8,
    /// IEEE 754, 8 B.
    Double = 9,
    /// Two floats: real and imaginary part.
    FloatComplex = 10,
    /// Two doubles.
    DoubleComplex = 11,
    /// Signed, 16 B.
    Int128 = 14,
    /// Unsigned, 16 B.
    Uint128 = 15,
}

impl AtomicType {
    /// All types, in the order of their numbers. 12 and 13, the long doubles, have no
    /// representation that machines share.
    pub const ALL: [Self; 14] = [
        Self::Int8,
        Self::Uint8,
        Self::Int16,
        Self::Uint16,
        Self::Int32,
        Self::Uint32,
        Self::Int64,
        Self::Uint64,
        Self::Float,
        Self::Double,
        Self::FloatComplex,
        Self::DoubleComplex,
        Self::Int128,
        Self::Uint128,
    ];

    /// The type of this number.
    #[must_use]
    pub fn of_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|&of_type| u32::from(of_type as u8) == number)
    }

    /// Bytes of an element.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Int8 | Self::Uint8 => 1,
            Self::Int16 | Self::Uint16 => 2,
            Self::Int32 | Self::Uint32 | Self::Float => 4,
            Self::Int64 | Self::Uint64 | Self::Double | Self::FloatComplex => 8,
            Self::DoubleComplex | Self::Int128 | Self::Uint128 => 16,
        }
    }

    /// Whether an operation is defined for elements of this type: complex numbers have no order,
    /// and only integers have bitwise operations.
    #[must_use]
    pub const fn takes(self, operation: AtomicOperation) -> bool {
        use AtomicOperation as Op;
        let is_complex = matches!(self, Self::FloatComplex | Self::DoubleComplex);
        let is_float = matches!(self, Self::Float | Self::Double);
        match operation {
            Op::Min
            | Op::Max
            | Op::SwapIfLessOrEqual
            | Op::SwapIfLess
            | Op::SwapIfGreaterOrEqual
            | Op::SwapIfGreater => !is_complex,
            Op::BitwiseOr | Op::BitwiseAnd | Op::BitwiseXor | Op::MaskedSwap => !is_complex && !is_float,
            _ => true,
        }
    }
}

/// Operands that do not fit their target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AtomicError {
    /// The operation is not defined for elements of this type.
    #[error("the operation {} is not defined for elements of type {}", philae_units::word(.operation), philae_units::word(.of_type))]
    Unsupported { operation: AtomicOperation, of_type: AtomicType },
    /// A range is not as long as the target, or does not hold whole elements.
    #[error("{what} has {bytes} B, the target has {target} B of elements of {element} B each")]
    Length {
        /// The name of the range.
        what: &'static str,
        bytes: usize,
        /// The target's bytes.
        target: usize,
        /// Bytes of an element.
        element: usize,
    },
}

/// Applies `operation` to every element of `target`, with the corresponding element of `operand`
/// and, if it [compares](AtomicOperation::compares), of `comparand`. If the caller passes
/// `fetched`, it gets the previous content of the target.
///
/// # Errors
/// [`AtomicError`]; the target is unchanged.
pub fn apply(
    operation: AtomicOperation,
    of_type: AtomicType,
    target: &mut [u8],
    operand: &[u8],
    comparand: &[u8],
    fetched: Option<&mut [u8]>,
) -> Result<(), AtomicError> {
    if !of_type.takes(operation) {
        return Err(AtomicError::Unsupported { operation, of_type });
    }
    let (total, element) = (target.len(), of_type.bytes());
    let fits = |what, bytes| {
        let fitting = bytes == total && total.is_multiple_of(element);
        if fitting { Ok(()) } else { Err(AtomicError::Length { what, bytes, target: total, element }) }
    };
    fits("the target", total)?;
    if operation.has_operand() {
        fits("the operand", operand.len())?;
    }
    if operation.compares() {
        fits("the comparand", comparand.len())?;
    }
    if let Some(fetched) = fetched {
        fits("the result", fetched.len())?;
        fetched.copy_from_slice(target);
    }
    match of_type {
        AtomicType::Int8 => each::<i8>(operation, target, operand, comparand),
        AtomicType::Uint8 => each::<u8>(operation, target, operand, comparand),
        AtomicType::Int16 => each::<i16>(operation, target, operand, comparand),
        AtomicType::Uint16 => each::<u16>(operation, target, operand, comparand),
        AtomicType::Int32 => each::<i32>(operation, target, operand, comparand),
        AtomicType::Uint32 => each::<u32>(operation, target, operand, comparand),
        AtomicType::Int64 => each::<i64>(operation, target, operand, comparand),
        AtomicType::Uint64 => each::<u64>(operation, target, operand, comparand),
        AtomicType::Float => each::<f32>(operation, target, operand, comparand),
        AtomicType::Double => each::<f64>(operation, target, operand, comparand),
        AtomicType::FloatComplex => each::<Complex<f32>>(operation, target, operand, comparand),
        AtomicType::DoubleComplex => each::<Complex<f64>>(operation, target, operand, comparand),
        AtomicType::Int128 => each::<i128>(operation, target, operand, comparand),
        AtomicType::Uint128 => each::<u128>(operation, target, operand, comparand),
    }
    Ok(())
}

fn each<T: Element>(operation: AtomicOperation, target: &mut [u8], operand: &[u8], comparand: &[u8]) {
    let absent = T::default();
    let at = |range: &[u8], index: usize| range.get(index * T::BYTES..(index + 1) * T::BYTES).map_or(absent, T::read);
    for (index, place) in target.chunks_exact_mut(T::BYTES).enumerate() {
        let old = T::read(place);
        // "Equal" compares bits, so that a loop that swaps the value it has read also ends for a
        // NaN, and -0.0 differs from 0.0.
        let is_same = comparand.get(index * T::BYTES..(index + 1) * T::BYTES) == Some(&*place);
        let new = result(operation, old, at(operand, index), at(comparand, index), is_same);
        new.write(place);
    }
}

/// The new value of the target. `is_same`: the comparand has the target's bits.
fn result<T: Element>(operation: AtomicOperation, old: T, operand: T, comparand: T, is_same: bool) -> T {
    use AtomicOperation as Op;
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = comparand.partial_cmp(&old);
    let swap = |when: bool| if when { operand } else { old };
    let truth = |when: bool| T::truth(when);
    match operation {
        Op::Min => swap(operand.partial_cmp(&old) == Some(Less)),
        Op::Max => swap(operand.partial_cmp(&old) == Some(Greater)),
        Op::Sum => old.sum(operand),
        Op::Product => old.product(operand),
        Op::LogicalOr => truth(old.is_true() || operand.is_true()),
        Op::LogicalAnd => truth(old.is_true() && operand.is_true()),
        Op::LogicalXor => truth(old.is_true() != operand.is_true()),
        Op::BitwiseOr => old.bits(operand, |one, other| one | other),
        Op::BitwiseAnd => old.bits(operand, |one, other| one & other),
        Op::BitwiseXor => old.bits(operand, |one, other| one ^ other),
        Op::Read => old,
        Op::Write => operand,
        Op::SwapIfEqual => swap(is_same),
        Op::SwapIfNotEqual => swap(!is_same),
        Op::SwapIfLessOrEqual => swap(matches!(order, Some(Less | Equal))),
        Op::SwapIfLess => swap(order == Some(Less)),
        Op::SwapIfGreaterOrEqual => swap(matches!(order, Some(Greater | Equal))),
        Op::SwapIfGreater => swap(order == Some(Greater)),
        Op::MaskedSwap => {
            let kept = old.bits(comparand, |old, mask| old & !mask);
            kept.bits(operand.bits(comparand, |new, mask| new & mask), |kept, new| kept | new)
        }
    }
}

/// A type of element.
trait Element: Copy + Default + PartialEq + PartialOrd {
    /// Bytes of one element.
    const BYTES: usize;
    fn read(bytes: &[u8]) -> Self;
    fn write(self, bytes: &mut [u8]);
    fn sum(self, other: Self) -> Self;
    fn product(self, other: Self) -> Self;
    fn is_true(self) -> bool;
    fn truth(when: bool) -> Self;
    /// Combines bit by bit. Types without bitwise operations return themselves.
    fn bits(self, other: Self, combine: impl Fn(u128, u128) -> u128) -> Self;
}

macro_rules! integers {
    ($($of_type:ty),*) => { $(
        impl Element for $of_type {
            const BYTES: usize = size_of::<Self>();
            fn read(bytes: &[u8]) -> Self {
                Self::from_ne_bytes(bytes.try_into().expect("a chunk has an element's bytes"))
            }
            fn write(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_ne_bytes());
            }
            fn sum(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn product(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            fn is_true(self) -> bool {
                self != 0
            }
            fn truth(when: bool) -> Self {
                Self::from(when)
            }
            fn bits(self, other: Self, combine: impl Fn(u128, u128) -> u128) -> Self {
                combine(self as u128, other as u128) as Self
            }
        }
    )* };
}

integers!(i8, u8, i16, u16, i32, u32, i64, u64, i128, u128);

macro_rules! floats {
    ($($of_type:ty),*) => { $(
        impl Element for $of_type {
            const BYTES: usize = size_of::<Self>();
            fn read(bytes: &[u8]) -> Self {
                Self::from_ne_bytes(bytes.try_into().expect("a chunk has an element's bytes"))
            }
            fn write(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_ne_bytes());
            }
            fn sum(self, other: Self) -> Self {
                self + other
            }
            fn product(self, other: Self) -> Self {
                self * other
            }
            fn is_true(self) -> bool {
                self != 0.0
            }
            fn truth(when: bool) -> Self {
                if when { 1.0 } else { 0.0 }
            }
            fn bits(self, _: Self, _: impl Fn(u128, u128) -> u128) -> Self {
                self
            }
        }
    )* };
}

floats!(f32, f64);

/// A complex number; it has no order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Complex<T> {
    real: T,
    imaginary: T,
}

impl<T: PartialEq> PartialOrd for Complex<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        (self == other).then_some(std::cmp::Ordering::Equal)
    }
}

macro_rules! complexes {
    ($($part:ty),*) => { $(
        impl Element for Complex<$part> {
            const BYTES: usize = 2 * size_of::<$part>();
            fn read(bytes: &[u8]) -> Self {
                let (real, imaginary) = bytes.split_at(size_of::<$part>());
                Self { real: Element::read(real), imaginary: Element::read(imaginary) }
            }
            fn write(self, bytes: &mut [u8]) {
                let (real, imaginary) = bytes.split_at_mut(size_of::<$part>());
                self.real.write(real);
                self.imaginary.write(imaginary);
            }
            fn sum(self, other: Self) -> Self {
                Self { real: self.real + other.real, imaginary: self.imaginary + other.imaginary }
            }
            fn product(self, other: Self) -> Self {
                Self {
                    real: self.real * other.real - self.imaginary * other.imaginary,
                    imaginary: self.real * other.imaginary + self.imaginary * other.real,
                }
            }
            fn is_true(self) -> bool {
                self.real.is_true() || self.imaginary.is_true()
            }
            fn truth(when: bool) -> Self {
                Self { real: Element::truth(when), imaginary: 0.0 }
            }
            fn bits(self, _: Self, _: impl Fn(u128, u128) -> u128) -> Self {
                self
            }
        }
    )* };
}

complexes!(f32, f64);

#[cfg(test)]
mod tests {
    use super::*;
    use AtomicOperation as Op;

    fn one<const N: usize>(
        operation: Op,
        of_type: AtomicType,
        old: [u8; N],
        operand: [u8; N],
        comparand: [u8; N],
    ) -> [u8; N] {
        let (mut target, mut fetched) = (old, [0; N]);
        apply(operation, of_type, &mut target, &operand, &comparand, Some(&mut fetched)).expect("it can be applied");
        assert_eq!(fetched, old, "what was there is fetched");
        target
    }

    #[test]
    fn integers_follow_the_definitions() {
        let on = |operation, old: i32, operand: i32, comparand: i32| {
            let [old, operand, comparand] = [old, operand, comparand].map(i32::to_ne_bytes);
            i32::from_ne_bytes(one(operation, AtomicType::Int32, old, operand, comparand))
        };
        assert_eq!(on(Op::Min, -5, 3, 0), -5);
        assert_eq!(on(Op::Max, -5, 3, 0), 3);
        assert_eq!(on(Op::Sum, i32::MAX, 1, 0), i32::MIN);
        assert_eq!(on(Op::Product, -5, 3, 0), -15);
        assert_eq!([on(Op::LogicalOr, 0, 7, 0), on(Op::LogicalAnd, 2, 0, 0), on(Op::LogicalXor, 2, 7, 0)], [1, 0, 0]);
        assert_eq!(
            [on(Op::BitwiseOr, 12, 10, 0), on(Op::BitwiseAnd, 12, 10, 0), on(Op::BitwiseXor, 12, 10, 0)],
            [14, 8, 6]
        );
        assert_eq!([on(Op::Read, 4, 9, 0), on(Op::Write, 4, 9, 0)], [4, 9]);
        assert_eq!([on(Op::SwapIfEqual, 4, 9, 4), on(Op::SwapIfEqual, 4, 9, 5)], [9, 4]);
        assert_eq!([on(Op::SwapIfNotEqual, 4, 9, 4), on(Op::SwapIfNotEqual, 4, 9, 5)], [4, 9]);
        assert_eq!([3, 4, 5].map(|comparand| on(Op::SwapIfLessOrEqual, 4, 9, comparand)), [9, 9, 4]);
        assert_eq!([3, 4, 5].map(|comparand| on(Op::SwapIfLess, 4, 9, comparand)), [9, 4, 4]);
        assert_eq!([3, 4, 5].map(|comparand| on(Op::SwapIfGreaterOrEqual, 4, 9, comparand)), [4, 9, 9]);
        assert_eq!([3, 4, 5].map(|comparand| on(Op::SwapIfGreater, 4, 9, comparand)), [4, 4, 9]);
        assert_eq!(on(Op::MaskedSwap, 0x1234, 0xabcd, 0x0ff0), 0x1bc4);
    }

    #[test]
    fn swaps_compare_floating_point_numbers_bit_by_bit() {
        let on = |operation, old: f64, comparand: f64| {
            let [old, operand, comparand] = [old, 1.0, comparand].map(f64::to_ne_bytes);
            f64::from_ne_bytes(one(operation, AtomicType::Double, old, operand, comparand))
        };
        assert_eq!(on(Op::SwapIfEqual, f64::NAN, f64::NAN), 1.0, "a loop that swaps what it has read ends");
        assert!(on(Op::SwapIfNotEqual, f64::NAN, f64::NAN).is_nan());
        assert!(on(Op::SwapIfEqual, -0.0, 0.0).is_sign_negative(), "it is not what is there");
        assert_eq!(on(Op::SwapIfNotEqual, -0.0, 0.0), 1.0);
        assert_eq!(
            [on(Op::SwapIfLessOrEqual, -0.0, 0.0), on(Op::SwapIfLess, 2.0, 1.5)],
            [1.0, 1.0],
            "order is of values"
        );
    }

    #[test]
    fn unsigned_numbers_are_compared_without_a_sign() {
        let max = one(Op::Max, AtomicType::Uint8, [200], [3], [0]);
        assert_eq!(max, [200]);
        assert_eq!(one(Op::Max, AtomicType::Int8, [200], [3], [0]), [3], "200 is -56");
    }

    #[test]
    fn floats_and_complex_numbers_have_arithmetic_of_their_own() {
        let double = |operation, old: f64, operand: f64| {
            let [old, operand] = [old, operand].map(f64::to_ne_bytes);
            f64::from_ne_bytes(one(operation, AtomicType::Double, old, operand, [0; 8]))
        };
        assert_eq!(
            [double(Op::Sum, 1.5, 2.25), double(Op::Min, 1.5, -2.0), double(Op::LogicalAnd, 1.5, 2.0)],
            [3.75, -2.0, 1.0]
        );
        assert!((double(Op::Min, 1.5, f64::NAN) - 1.5).abs() < f64::EPSILON, "what cannot be compared changes nothing");
        let complex = |real: f32, imaginary: f32| {
            let mut bytes = [0; 8];
            bytes[..4].copy_from_slice(&real.to_ne_bytes());
            bytes[4..].copy_from_slice(&imaginary.to_ne_bytes());
            bytes
        };
        let product = one(Op::Product, AtomicType::FloatComplex, complex(1.0, 2.0), complex(3.0, 4.0), [0; 8]);
        assert_eq!(product, complex(-5.0, 10.0));
    }

    #[test]
    fn every_element_of_a_range_has_its_own_operand() {
        let mut target: Vec<u8> = [1_u16, 2, 3].iter().flat_map(|number| number.to_ne_bytes()).collect();
        let operand: Vec<u8> = [10_u16, 20, 30].iter().flat_map(|number| number.to_ne_bytes()).collect();
        apply(Op::Sum, AtomicType::Uint16, &mut target, &operand, &[], None).expect("it can be applied");
        let sums: Vec<u16> = target.chunks_exact(2).map(|pair| u16::from_ne_bytes([pair[0], pair[1]])).collect();
        assert_eq!(sums, [11, 22, 33]);
    }

    #[test]
    fn what_does_not_fit_is_refused_and_nothing_is_changed() {
        let mut target = [1_u8; 8];
        let long = apply(Op::Sum, AtomicType::Uint32, &mut target, &[0; 4], &[], None);
        assert_eq!(long, Err(AtomicError::Length { what: "the operand", bytes: 4, target: 8, element: 4 }));
        let odd = apply(Op::Write, AtomicType::Uint128, &mut target, &[0; 8], &[], None);
        assert!(matches!(odd, Err(AtomicError::Length { what: "the target", .. })));
        let bits = apply(Op::BitwiseOr, AtomicType::Double, &mut target, &[0; 8], &[], None);
        assert!(matches!(bits, Err(AtomicError::Unsupported { .. })));
        let without = apply(Op::SwapIfEqual, AtomicType::Uint64, &mut target, &[0; 8], &[], None);
        assert!(matches!(without, Err(AtomicError::Length { what: "the comparand", .. })));
        assert_eq!(target, [1; 8]);
    }

    #[test]
    fn numbers_are_those_of_the_interface() {
        for operation in Op::ALL {
            assert_eq!(Op::of_number(operation as u32), Some(operation));
        }
        for of_type in AtomicType::ALL {
            assert_eq!(AtomicType::of_number(of_type as u32), Some(of_type));
            assert!(Op::ALL.iter().filter(|&&operation| of_type.takes(operation)).count() >= 9);
        }
        assert_eq!((Op::of_number(19), AtomicType::of_number(12)), (None, None));
    }
}
