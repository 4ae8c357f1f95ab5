//! Where randomness comes from.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use hny_codes::{CodeText, RandomCodes};
use rand::CryptoRng;

/// A cryptographic generator: handed in, so that a test can foresee it and nothing else can. Cheap to clone.
#[derive(Clone)]
pub struct Randomness(Arc<Mutex<dyn CryptoRng + Send>>);

impl Randomness {
    /// Takes a generator.
    pub fn new(generator: impl CryptoRng + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(generator)))
    }

    /// Draws a code.
    pub(crate) fn draw(&self, codes: RandomCodes) -> CodeText {
        // A generator has no state that a panic could leave half done.
        let mut generator = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        codes.draw(&mut *generator)
    }

    /// Draws bytes.
    pub(crate) fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(&mut bytes);
        bytes
    }
}

impl fmt::Debug for Randomness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Randomness")
    }
}
