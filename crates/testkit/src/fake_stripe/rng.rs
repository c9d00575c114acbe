//! Randomness that can be repeated.

/// `SplitMix64`: small, and the same on every machine and in every version of every crate; a printed seed would be
/// worthless otherwise.
#[derive(Debug, Clone)]
pub struct SeededRng(u64);

impl SeededRng {
    /// `stream` separates the random numbers of different purposes, so that one more draw here changes nothing there.
    #[must_use]
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut rng = Self(seed ^ stream.wrapping_mul(0xA076_1D64_78BD_642F));
        rng.next();
        rng
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Less than `end`, which is not zero.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// At least 0, less than 1.
    pub fn share(&mut self) -> f64 {
        let sides = 1_u32 << 31;
        let thrown = u32::try_from(self.next() >> 33).unwrap_or(0);
        f64::from(thrown) / f64::from(sides)
    }

    /// Letters and digits, as Stripe's ids are made of.
    pub(super) fn word(&mut self, length: usize) -> String {
        const SIGNS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        (0..length)
            .map(|_| {
                let place = self.below(SIGNS.len() as u64);
                char::from(SIGNS[usize::try_from(place).unwrap_or(0)])
            })
            .collect()
    }
}
