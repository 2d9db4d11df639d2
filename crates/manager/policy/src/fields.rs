//! One table per set of settings. It generates the complete configuration, its fields, and the
//! overlay of a layer.

use serde_json::Value;

/// A configuration with a value for every field, over which settings are laid one after the other.
pub trait Composed: Clone + Default + Ord {
    /// The part of the fields that a document may set.
    type Settings: Clone;
    /// The JSON pointer of each field in a document's settings. The position in this list is the
    /// field's number.
    const POINTERS: &'static [&'static str];
    /// Takes over the values in `settings`, and calls `said` with the number of each field that it
    /// sets.
    fn lay(&mut self, settings: &Self::Settings, said: &mut dyn FnMut(usize));
    /// The value of a field, by its number.
    fn value(&self, field: usize) -> Value;
}

macro_rules! composed {
    ($(#[$meta:meta])* $name:ident from $settings:ty { $($(#[$doc:meta])* $field:ident: $type:ty = $default:expr, $pointer:literal, |$from:ident| $get:expr;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl crate::fields::Composed for $name {
            type Settings = $settings;
            const POINTERS: &'static [&'static str] = &[$($pointer,)*];

            fn lay(&mut self, settings: &$settings, said: &mut dyn FnMut(usize)) {
                let mut field = 0..;
                $(
                    let number = field.next().unwrap_or_default();
                    let $from = settings;
                    if let Some(value) = &$get {
                        self.$field.clone_from(value);
                        said(number);
                    }
                )*
            }

            fn value(&self, field: usize) -> serde_json::Value {
                let values = [$(serde_json::to_value(&self.$field),)*];
                values.into_iter().nth(field).and_then(Result::ok).unwrap_or_default()
            }
        }
    };
}
pub(crate) use composed;
