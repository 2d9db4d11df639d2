//! The arithmetic of reductions and scans, by type and operation.

use std::ffi::{c_int, c_void};

/// The element types, numbered as in C: `PHILAE_SHMEM_*` of `include/philae/shmem_core.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Element {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    LongDouble,
    C32,
    C64,
}

impl Element {
    /// All element types, by number.
    pub const ALL: [Self; 13] = [
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::F32,
        Self::F64,
        Self::LongDouble,
        Self::C32,
        Self::C64,
    ];

    /// The type with this number.
    #[must_use]
    pub fn from_number(number: c_int) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// The size of one element in bytes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 | Self::C32 => 8,
            Self::LongDouble => LONG_DOUBLE_BYTES,
            Self::C64 => 16,
        }
    }

    const fn is_whole(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64 | Self::U8 | Self::U16 | Self::U32 | Self::U64)
    }
}

/// `sizeof(long double)`. Source: the System V ABI of x86-64 and of AArch64, both 16. Status:
/// published.
const LONG_DOUBLE_BYTES: usize = 16;

/// The operations, numbered as in C: `PHILAE_SHMEM_REDUCE_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum ReduceOperation {
    And,
    Or,
    Xor,
    Max,
    Min,
    Sum,
    Prod,
}

impl ReduceOperation {
    /// All operations, by number.
    pub const ALL: [Self; 7] = [Self::And, Self::Or, Self::Xor, Self::Max, Self::Min, Self::Sum, Self::Prod];

    /// The operation with this number.
    #[must_use]
    pub fn from_number(number: c_int) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// Whether the type supports the operation. Bitwise operations are for integers only, and
    /// complex numbers have no minimum or maximum.
    #[must_use]
    pub const fn is_for(self, element: Element) -> bool {
        match self {
            Self::And | Self::Or | Self::Xor => element.is_whole(),
            Self::Max | Self::Min => !matches!(element, Element::C32 | Element::C64),
            Self::Sum | Self::Prod => true,
        }
    }
}

unsafe extern "C" {
    fn philae_shmem_longdouble_combine(
        op: c_int,
        into: *mut c_void,
        left: *const c_void,
        right: *const c_void,
        n: usize,
    );
}

/// `into[i] = into[i] op with[i]`.
///
/// # Safety
/// `into` and `with` have `count` elements each, and are identical or disjoint. The type supports
/// the operation.
pub unsafe fn combine(element: Element, operation: ReduceOperation, into: *mut u8, with: *const u8, count: usize) {
    // SAFETY: as the caller promises; every element has the width of the type that it is read as.
    unsafe {
        match element {
            Element::I8 => whole::<i8>(operation, into, with, count),
            Element::I16 => whole::<i16>(operation, into, with, count),
            Element::I32 => whole::<i32>(operation, into, with, count),
            Element::I64 => whole::<i64>(operation, into, with, count),
            Element::U8 => whole::<u8>(operation, into, with, count),
            Element::U16 => whole::<u16>(operation, into, with, count),
            Element::U32 => whole::<u32>(operation, into, with, count),
            Element::U64 => whole::<u64>(operation, into, with, count),
            Element::F32 => real::<f32>(operation, into, with, count),
            Element::F64 => real::<f64>(operation, into, with, count),
            Element::LongDouble => {
                philae_shmem_longdouble_combine(operation as c_int, into.cast(), into.cast(), with.cast(), count);
            }
            Element::C32 => complex::<f32>(operation, into, with, count),
            Element::C64 => complex::<f64>(operation, into, with, count),
        }
    }
}

#[inline]
unsafe fn each<T: Copy>(into: *mut u8, with: *const u8, count: usize, operation: impl Fn(T, T) -> T) {
    let (into, with) = (into.cast::<T>(), with.cast::<T>());
    for index in 0..count {
        // SAFETY: the caller of `combine` promised `count` elements; the addresses need not be
        // aligned.
        unsafe {
            let result = operation(into.add(index).read_unaligned(), with.add(index).read_unaligned());
            into.add(index).write_unaligned(result);
        }
    }
}

/// Integers: sums and products wrap, like those of unsigned numbers in C.
trait Whole: Copy + Ord {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn sum(self, other: Self) -> Self;
    fn product(self, other: Self) -> Self;
}

macro_rules! whole {
    ($($type:ty)*) => {$(
        impl Whole for $type {
            fn and(self, other: Self) -> Self { self & other }
            fn or(self, other: Self) -> Self { self | other }
            fn xor(self, other: Self) -> Self { self ^ other }
            fn sum(self, other: Self) -> Self { self.wrapping_add(other) }
            fn product(self, other: Self) -> Self { self.wrapping_mul(other) }
        }
    )*};
}
whole!(i8 i16 i32 i64 u8 u16 u32 u64);

unsafe fn whole<T: Whole>(operation: ReduceOperation, into: *mut u8, with: *const u8, count: usize) {
    // SAFETY: as `combine` was promised.
    unsafe {
        match operation {
            ReduceOperation::And => each::<T>(into, with, count, T::and),
            ReduceOperation::Or => each::<T>(into, with, count, T::or),
            ReduceOperation::Xor => each::<T>(into, with, count, T::xor),
            ReduceOperation::Max => each::<T>(into, with, count, T::max),
            ReduceOperation::Min => each::<T>(into, with, count, T::min),
            ReduceOperation::Sum => each::<T>(into, with, count, T::sum),
            ReduceOperation::Prod => each::<T>(into, with, count, T::product),
        }
    }
}

/// Floating-point numbers, with the operations that reductions need.
trait Real:
    Copy + PartialOrd + std::ops::Add<Output = Self> + std::ops::Sub<Output = Self> + std::ops::Mul<Output = Self>
{
    const ZERO: Self;
    const ONE: Self;
    const INFINITY: Self;
    fn is_nan(self) -> bool;
    fn is_infinite(self) -> bool;
    fn with_sign_of(self, other: Self) -> Self;
}

macro_rules! real {
    ($($type:ty)*) => {$(
        impl Real for $type {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const INFINITY: Self = <$type>::INFINITY;
            fn is_nan(self) -> bool { <$type>::is_nan(self) }
            fn is_infinite(self) -> bool { <$type>::is_infinite(self) }
            fn with_sign_of(self, other: Self) -> Self { self.copysign(other) }
        }
    )*};
}
real!(f32 f64);

unsafe fn real<T: Real>(operation: ReduceOperation, into: *mut u8, with: *const u8, count: usize) {
    // SAFETY: as `combine` was promised.
    unsafe {
        match operation {
            ReduceOperation::Max => each::<T>(into, with, count, |left, right| if left < right { right } else { left }),
            ReduceOperation::Min => each::<T>(into, with, count, |left, right| if right < left { right } else { left }),
            ReduceOperation::Sum => each::<T>(into, with, count, |left, right| left + right),
            ReduceOperation::Prod => each::<T>(into, with, count, |left, right| left * right),
            ReduceOperation::And | ReduceOperation::Or | ReduceOperation::Xor => {
                unreachable!("no number with a point has these: is_for")
            }
        }
    }
}

unsafe fn complex<T: Real>(operation: ReduceOperation, into: *mut u8, with: *const u8, count: usize) {
    // SAFETY: as `combine` was promised; a complex number is its real part followed by its
    // imaginary part.
    unsafe {
        match operation {
            ReduceOperation::Sum => {
                each::<[T; 2]>(into, with, count, |left, right| [left[0] + right[0], left[1] + right[1]]);
            }
            ReduceOperation::Prod => each::<[T; 2]>(into, with, count, complex_product),
            _ => unreachable!("complex numbers have sums and products only: is_for"),
        }
    }
}

/// The product of complex numbers, with C's rule that an infinite number times a nonzero one is
/// infinite.
/// Source: ISO C11, annex G.5.1. Status: published.
fn complex_product<T: Real>([a, b]: [T; 2], [c, d]: [T; 2]) -> [T; 2] {
    let (real, imaginary) = (a * c - b * d, a * d + b * c);
    if !(real.is_nan() && imaginary.is_nan()) {
        return [real, imaginary];
    }
    // An infinite part becomes 1 and the other part of that number 0. In the other factor a NaN
    // becomes 0.
    let boxed = |part: T| (if part.is_infinite() { T::ONE } else { T::ZERO }).with_sign_of(part);
    let without_nan = |part: T| if part.is_nan() { T::ZERO.with_sign_of(part) } else { part };
    let is_infinite = |number: [T; 2]| number.iter().any(|part| part.is_infinite());
    let (left, right) = match (is_infinite([a, b]), is_infinite([c, d])) {
        (true, true) => ([boxed(a), boxed(b)], [boxed(c), boxed(d)]),
        (true, false) => ([boxed(a), boxed(b)], [without_nan(c), without_nan(d)]),
        (false, true) => ([without_nan(a), without_nan(b)], [boxed(c), boxed(d)]),
        (false, false) if [a * c, b * d, a * d, b * c].iter().any(|part| part.is_infinite()) => {
            ([without_nan(a), without_nan(b)], [without_nan(c), without_nan(d)])
        }
        (false, false) => return [real, imaginary],
    };
    [T::INFINITY * (left[0] * right[0] - left[1] * right[1]), T::INFINITY * (left[0] * right[1] + left[1] * right[0])]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one<T: Copy>(element: Element, operation: ReduceOperation, left: T, right: T) -> T {
        assert_eq!(size_of::<T>(), element.bytes());
        let mut into = left;
        // SAFETY: both have one element.
        unsafe { combine(element, operation, (&raw mut into).cast(), (&raw const right).cast(), 1) };
        into
    }

    #[test]
    fn whole_numbers_combine_as_in_c() {
        assert_eq!(one(Element::I8, ReduceOperation::Sum, 127i8, 1), -128);
        assert_eq!(one(Element::U16, ReduceOperation::Prod, 0x8001u16, 2), 2);
        assert_eq!(one(Element::I64, ReduceOperation::Max, -5i64, 3), 3);
        assert_eq!(one(Element::U64, ReduceOperation::Max, (-5i64) as u64, 3), (-5i64) as u64);
        assert_eq!(one(Element::I32, ReduceOperation::Min, -5i32, 3), -5);
        assert_eq!(one(Element::U32, ReduceOperation::And, 0b1100u32, 0b1010), 0b1000);
        assert_eq!(one(Element::U8, ReduceOperation::Or, 0b1100u8, 0b1010), 0b1110);
        assert_eq!(one(Element::I16, ReduceOperation::Xor, 0b1100i16, 0b1010), 0b0110);
    }

    #[test]
    fn numbers_with_a_point_combine_as_in_c() {
        assert!((one(Element::F32, ReduceOperation::Prod, 1.5f32, 4.0) - 6.0).abs() < f32::EPSILON);
        assert!((one(Element::F64, ReduceOperation::Min, 1.5f64, -4.0) + 4.0).abs() < f64::EPSILON);
        assert_eq!(one(Element::C64, ReduceOperation::Prod, [1.0f64, 2.0], [3.0, -1.0]), [5.0, 5.0]);
        assert_eq!(one(Element::C32, ReduceOperation::Sum, [1.0f32, 2.0], [3.0, -1.0]), [4.0, 1.0]);
    }

    #[test]
    fn an_infinite_complex_number_stays_infinite() {
        let infinity = f64::INFINITY;
        // The plain formula makes NaN of both parts for these.
        for (left, right) in
            [([infinity, infinity], [1.0, 1.0]), ([infinity, f64::NAN], [2.0, 1.0]), ([1.0, 0.0], [infinity, f64::NAN])]
        {
            let product = one(Element::C64, ReduceOperation::Prod, left, right);
            assert!(product.iter().any(|part| part.is_infinite()), "{left:?} * {right:?} = {product:?}");
        }
        let lost = one(Element::C64, ReduceOperation::Prod, [f64::NAN, 0.0], [1.0, 1.0]);
        assert!(lost.iter().all(|part| part.is_nan()), "{lost:?}");
    }

    /// An x86-64 `long double` of a small integer: 64 bits of fraction with an explicit leading
    /// one, then sign and exponent.
    #[cfg(target_arch = "x86_64")]
    fn long_double(value: u64) -> [u64; 2] {
        if value == 0 {
            return [0, 0];
        }
        let shift = value.leading_zeros();
        [value << shift, u64::from(16383 + 63 - shift)]
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn long_double_combines_in_c() {
        let mask = |[low, high]: [u64; 2]| [low, high & 0xffff];
        let result =
            |operation, left, right| mask(one(Element::LongDouble, operation, long_double(left), long_double(right)));
        assert_eq!(
            result(ReduceOperation::Sum, 1 << 62, 1),
            long_double((1 << 62) + 1),
            "64 bits of precision, more than a double has"
        );
        assert_eq!(result(ReduceOperation::Prod, 3, 1 << 60), long_double(3 << 60));
        assert_eq!(result(ReduceOperation::Max, 3, 9), long_double(9));
        assert_eq!(result(ReduceOperation::Min, 3, 9), long_double(3));
    }

    #[test]
    fn types_have_the_operations_of_the_standard() {
        let count =
            |operation: ReduceOperation| Element::ALL.iter().filter(|&&element| operation.is_for(element)).count();
        assert_eq!(ReduceOperation::ALL.map(count), [8, 8, 8, 11, 11, 13, 13]);
    }
}
