//! Where on a vehicle a part belongs.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Where on a vehicle a part belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Position {
    /// At the front.
    Front,
    /// At the rear.
    Rear,
    /// On the left, as the driver sits.
    Left,
    /// On the right, as the driver sits.
    Right,
    /// At the front, on the left.
    FrontLeft,
    /// At the front, on the right.
    FrontRight,
    /// At the rear, on the left.
    RearLeft,
    /// At the rear, on the right.
    RearRight,
    /// The upper one.
    Upper,
    /// The lower one.
    Lower,
    /// The inner one.
    Inner,
    /// The outer one.
    Outer,
}

impl Position {
    /// Every position, in the order of the screens; the first one is stored as 1.
    pub const ALL: [Self; 12] = [
        Self::Front,
        Self::Rear,
        Self::Left,
        Self::Right,
        Self::FrontLeft,
        Self::FrontRight,
        Self::RearLeft,
        Self::RearRight,
        Self::Upper,
        Self::Lower,
        Self::Inner,
        Self::Outer,
    ];

    /// The name on the wire and on screens.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Front => "front",
            Self::Rear => "rear",
            Self::Left => "left",
            Self::Right => "right",
            Self::FrontLeft => "front left",
            Self::FrontRight => "front right",
            Self::RearLeft => "rear left",
            Self::RearRight => "rear right",
            Self::Upper => "upper",
            Self::Lower => "lower",
            Self::Inner => "inner",
            Self::Outer => "outer",
        }
    }

    /// The number by which it is stored.
    #[must_use]
    pub const fn code(self) -> i16 {
        self as i16 + 1
    }

    /// The bit that stands for it among several positions, above the lowest, which is none.
    #[must_use]
    pub const fn bit(self) -> u32 {
        2 << self as u32
    }

    /// The position that is stored by a number.
    #[must_use]
    pub fn from_code(code: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|position| position.code() == code)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Not the name of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "must be front, rear, left, right, front left, front right, rear left, rear right, upper, lower, inner or outer"
)]
pub struct UnknownPosition;

impl FromStr for Position {
    type Err = UnknownPosition;

    /// Ignores case, and takes a hyphen or an underscore for a space.
    fn from_str(name: &str) -> Result<Self, UnknownPosition> {
        let words: Vec<String> = name
            .split(|sign: char| sign.is_whitespace() || matches!(sign, '-' | '_'))
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let name = words.join(" ");
        Self::ALL.into_iter().find(|position| position.as_str() == name).ok_or(UnknownPosition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_stored_and_read_back_by_its_number_and_its_name() {
        for position in Position::ALL {
            assert_eq!(Position::from_code(position.code()), Some(position));
            assert_eq!(position.to_string().parse(), Ok(position));
            assert_eq!(position.bit(), 1_u32 << position.code(), "{position}");
        }
        assert_eq!((Position::from_code(0), Position::from_code(13)), (None, None));
    }

    #[test]
    fn people_write_positions_in_their_own_way() {
        for written in ["Front Left", "front-left", " FRONT_LEFT "] {
            assert_eq!(written.parse(), Ok(Position::FrontLeft), "{written}");
        }
        for written in ["", "front, left", "left front", "middle"] {
            assert_eq!(written.parse::<Position>(), Err(UnknownPosition), "{written}");
        }
    }
}
