//! The columns of feeds.

use thiserror::Error;

use crate::FeedKind;
use crate::platform::cells::unguarded;

/// A column that some kind of feed has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Column {
    /// The product's id.
    Id,
    /// The product's brand.
    Brand,
    /// The product's own number.
    PartNumber,
    /// The product's name.
    Name,
    /// The product's description.
    Description,
    /// The category that it is listed in.
    Category,
    /// Dollars for one unit.
    Price,
    /// The price list; the price for everybody without it.
    List,
    /// The least quantity that a price is for.
    From,
    /// Units that are in stock.
    AvailableQty,
    /// Units that arrive.
    AddQty,
    /// The smallest quantity that may be ordered.
    MinOrder,
    /// The product's picture.
    Img,
    /// The name of its part type.
    PartType,
    /// Whether it fits every vehicle.
    Universal,
    /// It is sold in multiples of this many units.
    PackSize,
    /// Grams of a pack.
    Weight,
    /// Millimeters of a pack.
    Length,
    /// Millimeters of a pack.
    Width,
    /// Millimeters of a pack.
    Height,
    /// What another number is.
    Kind,
    /// Another number.
    Number,
    /// Whose number that is.
    NumberBrand,
    /// What else is to be said of that number.
    Note,
    /// The make of a vehicle.
    Make,
    /// Its model.
    Model,
    /// The first model year.
    YearFrom,
    /// The last model year.
    YearTo,
    /// The engine.
    Engine,
    /// The version of the model.
    Submodel,
    /// Where on the vehicle the part belongs.
    Position,
    /// How many a vehicle takes there.
    PerVehicle,
    /// What else has to be true.
    Condition,
    /// Whether the row adds or removes.
    Action,
}

/// The columns that say which product a row is about.
const KEY: [Column; 3] = [Column::Id, Column::Brand, Column::PartNumber];

impl Column {
    /// The name, as samples and findings write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Id => "_id",
            Self::Brand => "brand",
            Self::PartNumber => "part_number",
            Self::Name => "name",
            Self::Description => "description",
            Self::Category => "category",
            Self::Price => "price",
            Self::List => "list",
            Self::From => "from",
            Self::AvailableQty => "availableQty",
            Self::AddQty => "addQty",
            Self::MinOrder => "minOrder",
            Self::Img => "img",
            Self::PartType => "partType",
            Self::Universal => "universal",
            Self::PackSize => "packSize",
            Self::Weight => "weight",
            Self::Length => "length",
            Self::Width => "width",
            Self::Height => "height",
            Self::Kind => "kind",
            Self::Number => "number",
            Self::NumberBrand => "number_brand",
            Self::Note => "note",
            Self::Make => "make",
            Self::Model => "model",
            Self::YearFrom => "year_from",
            Self::YearTo => "year_to",
            Self::Engine => "engine",
            Self::Submodel => "submodel",
            Self::Position => "position",
            Self::PerVehicle => "per_vehicle",
            Self::Condition => "condition",
            Self::Action => "action",
        }
    }

    /// The name as it begins a sentence.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Id => "Id",
            Self::Brand => "Brand",
            Self::PartNumber => "Part number",
            Self::Name => "Name",
            Self::Description => "Description",
            Self::Category => "Category",
            Self::Price => "Price",
            Self::List => "Price list",
            Self::From => "Least quantity",
            Self::AvailableQty => "Available quantity",
            Self::AddQty => "Added quantity",
            Self::MinOrder => "Minimum order",
            Self::Img => "Image",
            Self::PartType => "Part type",
            Self::Universal => "Universal",
            Self::PackSize => "Pack size",
            Self::Weight => "Weight",
            Self::Length => "Length",
            Self::Width => "Width",
            Self::Height => "Height",
            Self::Kind => "Kind",
            Self::Number => "Number",
            Self::NumberBrand => "Brand of the number",
            Self::Note => "Note",
            Self::Make => "Make",
            Self::Model => "Model",
            Self::YearFrom => "First year",
            Self::YearTo => "Last year",
            Self::Engine => "Engine",
            Self::Submodel => "Submodel",
            Self::Position => "Position",
            Self::PerVehicle => "Pieces per vehicle",
            Self::Condition => "Condition",
            Self::Action => "Action",
        }
    }

    /// The columns of a kind, beside those that say which product it is.
    #[must_use]
    pub const fn of(kind: FeedKind) -> &'static [Self] {
        match kind {
            FeedKind::Products => &[
                Self::Name,
                Self::Description,
                Self::Category,
                Self::Price,
                Self::AvailableQty,
                Self::MinOrder,
                Self::Img,
                Self::PartType,
                Self::Universal,
                Self::PackSize,
                Self::Weight,
                Self::Length,
                Self::Width,
                Self::Height,
            ],
            FeedKind::Stock => &[Self::AvailableQty, Self::AddQty],
            FeedKind::Prices => &[Self::List, Self::From, Self::Price],
            FeedKind::Numbers => &[Self::Kind, Self::Number, Self::NumberBrand, Self::Note],
            FeedKind::Fitment => &[
                Self::Make,
                Self::Model,
                Self::YearFrom,
                Self::YearTo,
                Self::Engine,
                Self::Submodel,
                Self::Position,
                Self::PerVehicle,
                Self::Condition,
                Self::Action,
            ],
        }
    }

    /// What a file must have of these columns to be of use: one of each group.
    const fn needed(kind: FeedKind) -> &'static [&'static [Self]] {
        match kind {
            FeedKind::Products => &[],
            FeedKind::Stock => &[&[Self::AvailableQty, Self::AddQty]],
            FeedKind::Prices => &[&[Self::Price]],
            FeedKind::Numbers => &[&[Self::Kind], &[Self::Number]],
            FeedKind::Fitment => &[&[Self::Make], &[Self::Model], &[Self::YearFrom]],
        }
    }

    /// Whether a header's cell names this column: case, spaces and lines between words make no difference.
    fn is_named(self, cell: &str) -> bool {
        fn bare(name: &str) -> impl Iterator<Item = char> {
            name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
        }
        bare(self.as_str()).eq(bare(cell))
    }
}

/// Why a header is not one of its kind of feed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HeaderRefused {
    /// A column is there twice.
    #[error("The column {0} appears twice.")]
    Twice(&'static str),
    /// A column is missing.
    #[error("The column {0} is missing.")]
    Missing(String),
}

/// The header of a file: which cell of a row is of which column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// What the file changes.
    pub kind: FeedKind,
    /// How many cells it has.
    pub width: usize,
    /// Whether a comma may be a decimal one, because it separates no cells.
    pub decimal_comma: bool,
    places: Vec<(Column, usize)>,
}

impl Header {
    /// Reads the header. Columns that the kind does not have are ignored.
    ///
    /// # Errors
    /// [`HeaderRefused`].
    pub fn read<'a>(
        kind: FeedKind,
        cells: impl Iterator<Item = &'a str>,
        decimal_comma: bool,
    ) -> Result<Self, HeaderRefused> {
        let mut places: Vec<(Column, usize)> = Vec::new();
        let mut width = 0;
        for (place, cell) in cells.enumerate() {
            width = place + 1;
            let cell = unguarded(cell);
            let mut columns = KEY.iter().chain(Column::of(kind));
            let Some(column) = columns.find(|column| column.is_named(&cell)) else { continue };
            if places.iter().any(|(other, _)| other == column) {
                return Err(HeaderRefused::Twice(column.as_str()));
            }
            places.push((*column, place));
        }
        let header = Self { kind, width, decimal_comma, places };
        let missing = |column: Column| HeaderRefused::Missing(column.as_str().to_owned());
        if header.place(Column::Id).is_none() {
            for column in [Column::Brand, Column::PartNumber] {
                header.place(column).ok_or_else(|| missing(column))?;
            }
        }
        for group in Column::needed(kind) {
            if !group.iter().any(|column| header.place(*column).is_some()) {
                let names: Vec<&str> = group.iter().map(|column| column.as_str()).collect();
                return Err(HeaderRefused::Missing(names.join(" or ")));
            }
        }
        Ok(header)
    }

    /// The place of a column's cell, if the file has it.
    #[must_use]
    pub fn place(&self, column: Column) -> Option<usize> {
        self.places.iter().find(|(one, _)| *one == column).map(|(_, place)| *place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kind: FeedKind, header: &str) -> Result<Header, HeaderRefused> {
        Header::read(kind, header.split(','), false)
    }

    #[test]
    fn names_of_columns_are_compared_by_their_characters() {
        let header = read(FeedKind::Stock, "Brand,Part Number,colour,AVAILABLE_QTY").unwrap();
        let places = [Column::Brand, Column::PartNumber, Column::AvailableQty, Column::AddQty].map(|c| header.place(c));
        assert_eq!(places, [Some(0), Some(1), Some(3), None]);
        assert!(read(FeedKind::Stock, "id,addQty").is_ok());
    }

    #[test]
    fn what_is_missing_or_twice_is_named() {
        for (kind, header, expected) in [
            (FeedKind::Stock, "brand,availableQty", "The column part_number is missing."),
            (FeedKind::Stock, "part_number,availableQty", "The column brand is missing."),
            (FeedKind::Stock, "brand,part_number,price", "The column availableQty or addQty is missing."),
            (FeedKind::Prices, "_id", "The column price is missing."),
            (FeedKind::Numbers, "_id,kind", "The column number is missing."),
            (FeedKind::Fitment, "_id,make,model,year_to", "The column year_from is missing."),
            (FeedKind::Prices, "_id,price,Price", "The column price appears twice."),
            (FeedKind::Products, "", "The column brand is missing."),
        ] {
            assert_eq!(read(kind, header).unwrap_err().to_string(), expected);
        }
    }
}
