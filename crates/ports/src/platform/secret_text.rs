//! Texts that nobody but their receiver may read.

/// A text that `Debug` does not show, so that no log and no failed assertion does.
macro_rules! secret_text {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        ///
        /// `Debug` does not show it.
        #[derive(Clone, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// Wraps the text; any string.
            #[must_use]
            pub const fn new(text: String) -> Self {
                Self(text)
            }

            /// The text.
            #[must_use]
            pub fn expose(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!(stringify!($name), "(…)"))
            }
        }
    };
}

pub(crate) use secret_text;
