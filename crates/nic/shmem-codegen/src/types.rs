//! The C types of typed functions.

/// A type in the names of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// Its form in names: `longlong`.
    pub name: &'static str,
    /// Its form in C: `long long`.
    pub c: &'static str,
    /// The core's type.
    pub kind: CoreType,
}

/// The core's type of a C type; the compiler decides the width of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoreType {
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// Plain `char`, whose sign the compiler chooses.
    Char,
    Float,
    Double,
    LongDouble,
    /// Complex of two floats.
    ComplexFloat,
    /// Complex of two doubles.
    ComplexDouble,
}

impl Type {
    /// The constant of `philae/shmem_core.h` for the type, as a C expression.
    #[must_use]
    pub fn kind_in_c(&self) -> String {
        match self.kind {
            CoreType::Signed => format!("PHILAE_SHMEM_SIGNED({})", self.c),
            CoreType::Unsigned => format!("PHILAE_SHMEM_UNSIGNED({})", self.c),
            CoreType::Char => "PHILAE_SHMEM_CHAR".into(),
            CoreType::Float => "PHILAE_SHMEM_F32".into(),
            CoreType::Double => "PHILAE_SHMEM_F64".into(),
            CoreType::LongDouble => "PHILAE_SHMEM_LONG_DOUBLE".into(),
            CoreType::ComplexFloat => "PHILAE_SHMEM_C32".into(),
            CoreType::ComplexDouble => "PHILAE_SHMEM_C64".into(),
        }
    }

    /// The C type of which this one is another name on known systems: a generic selection may name
    /// each type only once.
    #[must_use]
    pub fn same_as(&self) -> Option<&'static str> {
        Some(match self.name {
            "int8" => "schar",
            "int16" => "short",
            "int32" => "int",
            "int64" | "ptrdiff" => "long",
            "uint8" => "uchar",
            "uint16" => "ushort",
            "uint32" => "uint",
            "uint64" | "size" => "ulong",
            _ => return None,
        })
    }
}

/// The types that a function exists for.
pub type TypeSet = &'static [Type];

const fn t(name: &'static str, c: &'static str, kind: CoreType) -> Type {
    Type { name, c, kind }
}

const FLOAT: Type = t("float", "float", CoreType::Float);
const DOUBLE: Type = t("double", "double", CoreType::Double);
const LONGDOUBLE: Type = t("longdouble", "long double", CoreType::LongDouble);
const CHAR: Type = t("char", "char", CoreType::Char);
const SCHAR: Type = t("schar", "signed char", CoreType::Signed);
const SHORT: Type = t("short", "short", CoreType::Signed);
const INT: Type = t("int", "int", CoreType::Signed);
const LONG: Type = t("long", "long", CoreType::Signed);
const LONGLONG: Type = t("longlong", "long long", CoreType::Signed);
const UCHAR: Type = t("uchar", "unsigned char", CoreType::Unsigned);
const USHORT: Type = t("ushort", "unsigned short", CoreType::Unsigned);
const UINT: Type = t("uint", "unsigned int", CoreType::Unsigned);
const ULONG: Type = t("ulong", "unsigned long", CoreType::Unsigned);
const ULONGLONG: Type = t("ulonglong", "unsigned long long", CoreType::Unsigned);
const INT8: Type = t("int8", "int8_t", CoreType::Signed);
const INT16: Type = t("int16", "int16_t", CoreType::Signed);
const INT32: Type = t("int32", "int32_t", CoreType::Signed);
const INT64: Type = t("int64", "int64_t", CoreType::Signed);
const UINT8: Type = t("uint8", "uint8_t", CoreType::Unsigned);
const UINT16: Type = t("uint16", "uint16_t", CoreType::Unsigned);
const UINT32: Type = t("uint32", "uint32_t", CoreType::Unsigned);
const UINT64: Type = t("uint64", "uint64_t", CoreType::Unsigned);
const SIZE: Type = t("size", "size_t", CoreType::Unsigned);
const PTRDIFF: Type = t("ptrdiff", "ptrdiff_t", CoreType::Signed);
const COMPLEXF: Type = t("complexf", "philae_shmem_complexf", CoreType::ComplexFloat);
const COMPLEXD: Type = t("complexd", "philae_shmem_complexd", CoreType::ComplexDouble);

/// The standard types of remote memory access, and of most collectives.
pub const STANDARD: TypeSet = &[
    FLOAT, DOUBLE, LONGDOUBLE, CHAR, SCHAR, SHORT, INT, LONG, LONGLONG, UCHAR, USHORT, UINT, ULONG, ULONGLONG, INT8,
    INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, SIZE, PTRDIFF,
];
/// The standard types of atomics.
pub const AMO: TypeSet = &[INT, LONG, LONGLONG, UINT, ULONG, ULONGLONG, INT32, INT64, UINT32, UINT64, SIZE, PTRDIFF];
/// The types of atomics, and the two more that fetch, set and swap have.
pub const AMO_EXTENDED: TypeSet =
    &[FLOAT, DOUBLE, INT, LONG, LONGLONG, UINT, ULONG, ULONGLONG, INT32, INT64, UINT32, UINT64, SIZE, PTRDIFF];
/// The types of bitwise atomics.
pub const AMO_BITWISE: TypeSet = &[UINT, ULONG, ULONGLONG, INT32, INT64, UINT32, UINT64];
/// The types of a wait or test of one variable; the first two are deprecated.
pub const WAIT: TypeSet =
    &[SHORT, USHORT, INT, LONG, LONGLONG, UINT, ULONG, ULONGLONG, INT32, INT64, UINT32, UINT64, SIZE, PTRDIFF];
/// The types of bitwise reductions.
pub const REDUCE_BITWISE: TypeSet =
    &[UCHAR, USHORT, UINT, ULONG, ULONGLONG, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, SIZE];
/// The types of sums and products.
pub const REDUCE_ARITHMETIC: TypeSet = &[
    FLOAT, DOUBLE, LONGDOUBLE, CHAR, SCHAR, SHORT, INT, LONG, LONGLONG, UCHAR, USHORT, UINT, ULONG, ULONGLONG, INT8,
    INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, SIZE, PTRDIFF, COMPLEXD, COMPLEXF,
];
/// The types of the old bitwise reductions on active sets.
pub const OLD_BITWISE: TypeSet = &[SHORT, INT, LONG, LONGLONG];
/// The types of the old maximum and minimum.
pub const OLD_ORDERED: TypeSet = &[SHORT, INT, LONG, LONGLONG, FLOAT, DOUBLE, LONGDOUBLE];
/// The types of the old sum and product.
pub const OLD_ARITHMETIC: TypeSet = &[SHORT, INT, LONG, LONGLONG, FLOAT, DOUBLE, LONGDOUBLE, COMPLEXD, COMPLEXF];
/// The types of `shmem_TYPENAME_wait`.
pub const OLD_WAIT: TypeSet = &[SHORT, INT, LONG, LONGLONG];
/// The types of the vendor's old put with signal.
pub const VENDOR_SIGNAL: TypeSet = &[FLOAT, DOUBLE, LONGDOUBLE, CHAR, INT, LONG, LONGLONG];

/// The sizes in the names of functions, in bits.
pub const SIZES: &[u32] = &[8, 16, 32, 64, 128];
/// The sizes of the old collectives.
pub const OLD_SIZES: &[u32] = &[32, 64];
