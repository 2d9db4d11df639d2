//! Requests for memory that may be refused. An allocator that ends the program when memory runs out
//! lets such a request fail.

use std::cell::Cell;

thread_local! {
    static IS_REFUSABLE: Cell<bool> = const { Cell::new(false) };
}

/// Reserves memory by a function that returns an error if there is none, such as `try_reserve`.
pub fn refusable<T>(reserve: impl FnOnce() -> T) -> T {
    let before = IS_REFUSABLE.replace(true);
    let reserved = reserve();
    IS_REFUSABLE.set(before);
    reserved
}

/// Whether this thread makes such a request, for an allocator.
#[must_use]
pub fn is_refusable() -> bool {
    IS_REFUSABLE.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_refusable_until_it_returns() {
        assert!(!is_refusable());
        assert!(refusable(|| refusable(is_refusable) && is_refusable()));
        assert!(!is_refusable());
    }
}
