//! The system's randomness.

use saidso_core::ports::Entropy;

/// The operating system's generator.
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        // There is nothing safe to go on with: a key from anything weaker would be no key.
        getrandom::fill(buffer).expect("the operating system gives random bytes");
    }
}

/// A new secret of 32 random bytes in hexadecimal digits.
pub fn secret(entropy: &dyn Entropy) -> String {
    let mut bytes = [0; 32];
    entropy.fill(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
