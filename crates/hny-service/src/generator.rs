//! Draws codes.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use hny_codes::{Alphabet, LengthError, RandomCodes};
use hny_domain::{BaseUrl, Code, reserved};
use rand::CryptoRng;

/// Where randomness comes from: handed in, so that a test can foresee it and nothing else can.
#[derive(Clone)]
pub struct Randomness(Arc<Mutex<dyn CryptoRng + Send>>);

impl Randomness {
    /// Takes a cryptographic generator.
    pub fn new(generator: impl CryptoRng + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(generator)))
    }

    /// Uses the generator, alone.
    pub fn with<T>(&self, draw: impl FnOnce(&mut dyn CryptoRng) -> T) -> T {
        // A generator has no state that a panic could leave half done.
        let mut generator = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        draw(&mut *generator)
    }
}

impl fmt::Debug for Randomness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Randomness")
    }
}

/// Draws codes that nobody chose.
#[derive(Debug, Clone)]
pub struct Generator {
    codes: RandomCodes,
    base: Arc<BaseUrl>,
    randomness: Randomness,
}

impl Generator {
    /// Uniform random codes of `length` characters for links under `base`.
    pub fn random(
        alphabet: Alphabet,
        length: usize,
        base: Arc<BaseUrl>,
        randomness: Randomness,
    ) -> Result<Self, LengthError> {
        Ok(Self { codes: RandomCodes::new(alphabet, length)?, base, randomness })
    }

    /// The next code. Reserved words are passed over: `healthz` has seven letters.
    pub fn draw(&self) -> Code {
        loop {
            let text = self.randomness.with(|generator| self.codes.draw(generator));
            // Every text drawn is a code; a reserved one comes once in some ten million draws.
            match Code::parse(&text) {
                Ok(code) if !reserved::is_reserved(code.as_str()) && !self.base.hides(code.as_str()) => return code,
                _ => {}
            }
        }
    }
}
