//! Function tables: what a provider fills in, and the defaults for the rest.
//!
//! Most of libfabric's own functions call a table entry without checking it: a null entry ends the
//! program. A provider's table therefore has all functions: [`DECLINED`](fi_ops::DECLINED) is one
//! whose functions return `-FI_ENOSYS`.
//!
//! Each table has a trait with a method for each of its functions (`fi_ops_cq`:
//! [`CompletionQueueCalls`](crate::CompletionQueueCalls)). `fi_ops_cq::of::<T>()` is the table of an
//! object that has the trait. Its functions check the class of the object, catch panics, and return
//! errors as negative numbers.

use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{FI_EOTHER, fi_ops, fid};

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

/// The return value of a function, from its result: an error is a positive number.
pub trait Answers: Sized {
    /// The value of a success.
    type Value;

    /// The return value.
    fn of(result: Result<Self::Value, c_int>) -> Self;
}

impl Answers for c_int {
    type Value = Self;

    #[inline]
    fn of(result: Result<Self, c_int>) -> Self {
        result.unwrap_or_else(|error| -error)
    }
}

impl Answers for isize {
    type Value = Self;

    #[inline]
    fn of(result: Result<Self, c_int>) -> Self {
        result.unwrap_or_else(|error| -(error as Self))
    }
}

impl Answers for u64 {
    type Value = Self;

    fn of(result: Result<Self, c_int>) -> Self {
        result.unwrap_or(0)
    }
}

impl Answers for *const c_char {
    type Value = Self;

    fn of(result: Result<Self, c_int>) -> Self {
        result.unwrap_or(std::ptr::null())
    }
}

/// Runs a call from C. A panic becomes an error: none crosses to C.
///
/// # Errors
/// That of `work`, or `FI_EOTHER` for a panic.
#[inline]
pub fn guarded<T>(work: impl FnOnce() -> Result<T, c_int>) -> Result<T, c_int> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(FI_EOTHER))
}

/// The same, as C's return value.
#[inline]
pub fn answer<R: Answers>(work: impl FnOnce() -> Result<R::Value, c_int>) -> R {
    R::of(guarded(work))
}

/// An object that C holds by its address. It begins with the C object of its class, which begins
/// with a [`fid`].
pub trait FiObject: Sized {
    /// `FI_CLASS_*`.
    const CLASS: u32;
}

/// The object of a handle.
///
/// # Errors
/// `EINVAL`: it is null, or an object of another class.
///
/// # Safety
/// The handle is null or an object of libfabric. If it has this class, it is one of this provider,
/// which has not been closed.
#[inline]
pub unsafe fn object<'a, T: FiObject>(handle: *const fid) -> Result<&'a T, c_int> {
    // SAFETY: as the caller promises.
    match unsafe { handle.as_ref() } {
        // SAFETY: as above; the class says which object begins here.
        Some(found) if found.fclass == T::CLASS as usize => Ok(unsafe { &*handle.cast::<T>() }),
        _ => Err(libc::EINVAL),
    }
}

/// What every object does for C: [`fi_ops`]. What it leaves out is declined.
pub trait ObjectCalls: FiObject {
    /// Whether it may be closed now.
    ///
    /// # Errors
    /// `EBUSY`: another object uses it.
    fn may_close(&self) -> Result<(), c_int> {
        Ok(())
    }

    /// Closes it.
    fn close(self: Box<Self>) {}

    /// Binds another object to it.
    ///
    /// # Errors
    /// The error number.
    ///
    /// # Safety
    /// The other one is an object of libfabric, or null.
    unsafe fn bind(&self, _other: *mut fid, _flags: u64) -> Result<(), c_int> {
        Err(libc::ENOSYS)
    }

    /// Carries out a command.
    ///
    /// # Errors
    /// The error number.
    ///
    /// # Safety
    /// The argument is what the command's manual says.
    unsafe fn control(&self, _command: u32, _argument: *mut std::ffi::c_void) -> Result<(), c_int> {
        Err(libc::ENOSYS)
    }

    /// The table of an extension.
    ///
    /// # Errors
    /// `ENOSYS`: it has no extension of this name.
    fn extension(_name: &str) -> Result<*const std::ffi::c_void, c_int> {
        Err(libc::ENOSYS)
    }
}

impl fi_ops {
    /// The table of an object's functions.
    #[must_use]
    pub const fn of<T: ObjectCalls>() -> Self {
        unsafe extern "C" fn close<T: ObjectCalls>(handle: *mut fid) -> c_int {
            answer(|| {
                // SAFETY: C closes an object that it was given, and uses it no longer if this
                // succeeds. Objects are boxed.
                unsafe {
                    object::<T>(handle)?.may_close()?;
                    Box::from_raw(handle.cast::<T>()).close();
                }
                Ok(0)
            })
        }
        unsafe extern "C" fn bind<T: ObjectCalls>(handle: *mut fid, other: *mut fid, flags: u64) -> c_int {
            // SAFETY: C passes objects of libfabric.
            answer(|| unsafe { object::<T>(handle)?.bind(other, flags).map(|()| 0) })
        }
        unsafe extern "C" fn control<T: ObjectCalls>(
            handle: *mut fid,
            command: c_int,
            argument: *mut std::ffi::c_void,
        ) -> c_int {
            // SAFETY: C passes an object, and what the command needs.
            answer(|| unsafe { object::<T>(handle)?.control(command as u32, argument).map(|()| 0) })
        }
        unsafe extern "C" fn ops_open<T: ObjectCalls>(
            handle: *mut fid,
            name: *const c_char,
            _: u64,
            ops: *mut *mut std::ffi::c_void,
            _: *mut std::ffi::c_void,
        ) -> c_int {
            answer(|| {
                // SAFETY: C passes an object, a string or null, and room for a pointer or null.
                unsafe {
                    object::<T>(handle)?;
                    let place = ops.as_mut().ok_or(libc::EINVAL)?;
                    let name = if name.is_null() { c"" } else { std::ffi::CStr::from_ptr(name) };
                    *place = T::extension(name.to_str().unwrap_or(""))?.cast_mut();
                }
                Ok(0)
            })
        }
        Self {
            close: Some(close::<T>),
            bind: Some(bind::<T>),
            control: Some(control::<T>),
            ops_open: Some(ops_open::<T>),
            ..Self::DECLINED
        }
    }
}

/// A table: its size, and a function for each field. `as TRAIT` also makes a trait with a method
/// for each function; `of` then makes the table of an object that has the trait.
macro_rules! functions {
    (pub struct $table:ident as $calls:ident {
        pub size: usize,
        $(pub $name:ident: Option<
            unsafe extern "C" fn($first:ident: $handle:ty $(, $argument:ident: $type:ty)* $(,)?) -> $answer:ty $(,)?
        >,)*
    }) => {
        functions! {
            pub struct $table {
                pub size: usize,
                $(pub $name: Option<unsafe extern "C" fn($first: $handle $(, $argument: $type)*) -> $answer>,)*
            }
        }

        /// What an object does for C: one method for each function of the table. What it leaves out
        /// is declined.
        ///
        /// # Errors
        /// Each method returns the error number.
        ///
        /// # Safety
        /// The arguments of each method are what libfabric's manual says of the function.
        #[allow(unused_variables, clippy::missing_errors_doc, clippy::missing_safety_doc)]
        #[allow(clippy::too_many_arguments)]
        pub trait $calls: $crate::FiObject {
            $(unsafe fn $name(
                &self $(, $argument: $type)*
            ) -> Result<<$answer as $crate::Answers>::Value, std::ffi::c_int> {
                Err(libc::ENOSYS)
            })*
        }

        impl $table {
            /// The table of an object's functions. Each catches panics, checks the class of the
            /// object, and returns errors as negative numbers.
            #[must_use]
            pub const fn of<T: $calls>() -> Self {
                Self {
                    size: size_of::<Self>(),
                    $($name: {
                        #[allow(clippy::too_many_arguments)]
                        unsafe extern "C" fn entry<T: $calls>(
                            $first: $handle $(, $argument: $type)*
                        ) -> $answer {
                            // SAFETY: C passes an object.
                            match unsafe { $crate::object::<T>($first.cast()) } {
                                // SAFETY: C passes arguments as the manual says.
                                Ok(object) => $crate::answer(move || unsafe { object.$name($($argument),*) }),
                                Err(error) => $crate::Answers::of(Err(error)),
                            }
                        }
                        Some(entry::<T>)
                    },)*
                }
            }
        }
    };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CounterCalls, FI_CLASS_CNTR, FI_CLASS_CQ, fi_ops_cntr, fid_cntr};
    use std::sync::atomic::{AtomicU64, Ordering};

    #[repr(C)]
    struct Counter {
        fid: fid_cntr,
        value: AtomicU64,
        is_busy: bool,
    }

    static FID_OPS: fi_ops = fi_ops::of::<Counter>();
    static OPS: fi_ops_cntr = fi_ops_cntr::of::<Counter>();
    static CLOSED: AtomicU64 = AtomicU64::new(0);

    impl FiObject for Counter {
        const CLASS: u32 = FI_CLASS_CNTR;
    }

    impl ObjectCalls for Counter {
        fn may_close(&self) -> Result<(), c_int> {
            if self.is_busy { Err(libc::EBUSY) } else { Ok(()) }
        }

        fn close(self: Box<Self>) {
            CLOSED.fetch_add(1, Ordering::Relaxed);
        }
    }

    impl CounterCalls for Counter {
        unsafe fn read(&self) -> Result<u64, c_int> {
            Ok(self.value.load(Ordering::Relaxed))
        }

        unsafe fn add(&self, value: u64) -> Result<c_int, c_int> {
            assert!(value < 100, "a panic does not cross to C");
            self.value.fetch_add(value, Ordering::Relaxed);
            Ok(0)
        }
    }

    fn counter(class: u32, is_busy: bool) -> *mut fid_cntr {
        let fid = fid { fclass: class as usize, context: std::ptr::null_mut(), ops: (&raw const FID_OPS).cast_mut() };
        let fid = fid_cntr { fid, ops: (&raw const OPS).cast_mut() };
        Box::into_raw(Box::new(Counter { fid, value: AtomicU64::new(7), is_busy })).cast()
    }

    #[test]
    fn a_table_checks_the_class_catches_panics_and_declines_what_is_left_out() {
        let own = counter(FI_CLASS_CNTR, false);
        let other = counter(FI_CLASS_CQ, false);
        let none = std::ptr::null_mut();
        let (read, add, set) = (OPS.read.expect("it"), OPS.add.expect("it"), OPS.set.expect("it"));
        // SAFETY: the handles are objects of this test, or null.
        unsafe {
            assert_eq!((add(own, 3), read(own)), (0, 10));
            assert_eq!((add(other, 3), read(other)), (-libc::EINVAL, 0), "an object of another class");
            assert_eq!((add(none, 3), read(none)), (-libc::EINVAL, 0), "no object");
            assert_eq!((add(own, 100), read(own)), (-FI_EOTHER, 10), "a panic");
            assert_eq!(set(own, 5), -libc::ENOSYS, "a function that is left out");
            drop(Box::from_raw(other.cast::<Counter>()));
        }
        assert!(OPS.missing().is_empty() && OPS.size == fi_ops_cntr::DECLINED.size);
        let close = FID_OPS.close.expect("it");
        let busy = counter(FI_CLASS_CNTR, true);
        // SAFETY: as above; an object that is closed is used no longer.
        unsafe {
            assert_eq!((close(own.cast()), close(busy.cast())), (0, -libc::EBUSY));
            assert_eq!(CLOSED.load(Ordering::Relaxed), 1);
            drop(Box::from_raw(busy.cast::<Counter>()));
        }
    }
}
