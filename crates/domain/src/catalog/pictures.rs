//! The pictures of a product.

use thiserror::Error;

use crate::PictureUrl;

/// All pictures of a product in their order: 1 to 12, none of them twice. The first one is its picture in lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pictures {
    first: PictureUrl,
    further: Vec<PictureUrl>,
}

/// Why pictures cannot be those of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PicturesRefused {
    /// There are none.
    #[error("must not be empty")]
    None,
    /// There are more than [`Pictures::MOST`].
    #[error("must be at most {}", Pictures::MOST)]
    TooMany,
    /// The picture at this place, counted from 0, is one of those before it.
    #[error("is there twice")]
    Twice(usize),
}

impl Pictures {
    /// How many pictures a product may have.
    pub const MOST: usize = 12;

    /// Pictures in their order.
    ///
    /// # Errors
    /// [`PicturesRefused`].
    pub fn new(pictures: Vec<PictureUrl>) -> Result<Self, PicturesRefused> {
        if pictures.len() > Self::MOST {
            return Err(PicturesRefused::TooMany);
        }
        if let Some(place) = (1..pictures.len()).find(|place| pictures[..*place].contains(&pictures[*place])) {
            return Err(PicturesRefused::Twice(place));
        }
        let mut pictures = pictures.into_iter();
        let first = pictures.next().ok_or(PicturesRefused::None)?;
        Ok(Self { first, further: pictures.collect() })
    }

    /// The picture in lists.
    #[must_use]
    pub const fn first(&self) -> &PictureUrl {
        &self.first
    }

    /// The others.
    #[must_use]
    pub fn further(&self) -> &[PictureUrl] {
        &self.further
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pictures(names: impl IntoIterator<Item = usize>) -> Result<Pictures, PicturesRefused> {
        Pictures::new(names.into_iter().map(|name| format!("/images/{name}.webp").parse().unwrap()).collect())
    }

    #[test]
    fn a_product_has_1_to_12_pictures_and_none_of_them_twice() {
        assert_eq!(pictures([]), Err(PicturesRefused::None));
        assert_eq!(pictures([7]).unwrap().further(), []);
        let twelve = pictures(0..12).unwrap();
        assert_eq!((twelve.first().as_str(), twelve.further().len()), ("/images/0.webp", 11));
        assert_eq!(pictures(0..13), Err(PicturesRefused::TooMany));
        assert_eq!(pictures([1, 2, 3, 2, 1]), Err(PicturesRefused::Twice(3)));
    }
}
