//! Tables of functions: what a provider fills in, and what is in a table where it fills in nothing.
//!
//! Most of libfabric's own functions call what is in a table without a look at whether it is there: a null entry ends the
//! program. A provider's table therefore begins as [`DECLINED`](fi_ops::DECLINED), whose functions answer `-FI_ENOSYS`.

use std::ffi::{c_char, c_int};

/// What a function answers that is not to be had.
pub trait Declines {
    /// The answer.
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
            /// A whole table whose functions answer that they are not to be had.
            pub const DECLINED: Self = Self {
                size: size_of::<Self>(),
                $($name: {
                    unsafe extern "C" fn declined($(_: $type),*) -> $answer {
                        <$answer as $crate::Declines>::ANSWER
                    }
                    Some(declined)
                },)*
            };

            /// The functions that are not there.
            #[must_use]
            pub fn missing(&self) -> Vec<&'static str> {
                let all = [$((stringify!($name), self.$name.is_some())),*];
                all.into_iter().filter_map(|(name, is_there)| (!is_there).then_some(name)).collect()
            }
        }
    };
}
