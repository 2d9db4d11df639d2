//! Function tables: what a provider fills in, and the defaults for the rest.
//!
//! Most of libfabric's own functions call a table entry without checking it: a null entry ends the
//! program. A provider's table therefore begins as [`DECLINED`](fi_ops::DECLINED), whose functions
//! return `-FI_ENOSYS`.

use std::ffi::{c_char, c_int};

/// The return value of a function that is not supported.
pub trait Declines {
    /// The return value.
    const ANSWER: Self;
}

impl Declines for c_int {
    const ANSWER: Self = -libc::ENOSYS;
}

impl Declines for isize {
    const ANSWER: Self = -(libc::ENOSYS as Self);
}

/// A value of a counter.
impl Declines for u64 {
    const ANSWER: Self = 0;
}

/// A text.
impl Declines for *const c_char {
    const ANSWER: Self = c"not to be had".as_ptr();
}

/// A table: its size, and a function for each field.
macro_rules! functions {
    (pub struct $table:ident {
        pub size: usize,
        $(pub $name:ident: Option<unsafe extern "C" fn($($argument:ident: $type:ty),* $(,)?) -> $answer:ty $(,)?>,)*
    }) => {
        #[derive(Clone, Copy)]
        #[repr(C)]
        pub struct $table {
            pub size: usize,
            $(pub $name: Option<unsafe extern "C" fn($($argument: $type),*) -> $answer>,)*
        }

        impl $table {
            /// A complete table whose functions report that they are not supported.
            pub const DECLINED: Self = Self {
                size: size_of::<Self>(),
                $($name: {
                    unsafe extern "C" fn declined($(_: $type),*) -> $answer {
                        <$answer as $crate::Declines>::ANSWER
                    }
                    Some(declined)
                },)*
            };

            /// The names of the functions that are missing.
            #[must_use]
            pub fn missing(&self) -> Vec<&'static str> {
                let all = [$((stringify!($name), self.$name.is_some())),*];
                all.into_iter().filter_map(|(name, is_there)| (!is_there).then_some(name)).collect()
            }
        }
    };
}
