//! One row of a feed.

use std::fmt::Display;

use crate::feeds::cells::{flag, least_quantity, removes, unit_price, whole};
use crate::feeds::columns::{Column, Header};
use crate::platform::cells::unguarded;
use crate::{
    Category, Edit, FeedKind, Gtin, MinOrder, ModelYears, NumberKind, PackSize, PartKey, PerVehicle, PictureUrl,
    Position, ProductId, Size, Stock, Text, UnitPrice,
};

/// A cell that holds nothing but this clears what is there.
const CLEARS: &str = "-";

/// What is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedFinding {
    /// The line on which the row begins; the header's is 1.
    pub line: u64,
    /// The column; empty if it is the row as a whole.
    pub field: String,
    /// What findings are grouped by.
    pub reason: String,
    /// The sentence for whoever made the file.
    pub message: String,
}

/// Another number of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedNumber {
    /// What it is.
    pub kind: NumberKind,
    /// As it is written.
    pub shown: Text<60>,
    /// As it is compared.
    pub key: PartKey,
    /// Whose number it is.
    pub brand: Option<Text<60>>,
    /// What else is to be said.
    pub note: Edit<Text<240>>,
}

/// Vehicles that a product fits, by the names that the file has for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedFitment {
    /// The make.
    pub make: Text<60>,
    /// The model.
    pub model: Text<80>,
    /// The model years.
    pub years: ModelYears,
    /// What is said of the engine.
    pub engine: Option<Text<80>>,
    /// The version of the model, which has to be true.
    pub submodel: Option<Text<80>>,
    /// What else has to be true. With engine and submodel it is at most 500 characters.
    pub condition: Option<Text<330>>,
    /// Where the part belongs.
    pub position: Option<Position>,
    /// How many a vehicle takes there.
    pub per_vehicle: PerVehicle,
    /// Whether the row says that it does not fit any more.
    pub removes: bool,
}

/// A price for larger quantities, or of a price list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedTier {
    /// The name of the price list; `None` for everybody.
    pub list: Option<Text<80>>,
    /// The least quantity; 0 in a row that is refused for it.
    pub from: u32,
    /// The unit price; cleared if there is none any more.
    pub price: Edit<UnitPrice>,
}

/// What a row says. What it leaves out is not changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedRow {
    /// The line on which it begins.
    pub line: u64,
    /// Whether something is wrong with it.
    pub refused: bool,
    /// The product, by its id.
    pub id: Option<ProductId>,
    /// The product's brand.
    pub brand: Option<Text<60>>,
    /// The product's own number.
    pub part_number: Option<Text<60>>,
    /// The same, as it is compared.
    pub part_key: Option<PartKey>,
    /// The name.
    pub name: Option<Text<200>>,
    /// The description.
    pub description: Option<Text<5000>>,
    /// The category.
    pub category: Option<Category>,
    /// The unit price.
    pub price: Option<UnitPrice>,
    /// Another price than the list price.
    pub tier: Option<FeedTier>,
    /// Units in stock.
    pub available: Option<Stock>,
    /// Units that arrive.
    pub arriving: Option<Stock>,
    /// The smallest order.
    pub min_order: Option<MinOrder>,
    /// The picture.
    pub img: Option<PictureUrl>,
    /// The name of the part type.
    pub part_type: Edit<Text<80>>,
    /// Whether it fits every vehicle.
    pub universal: Option<bool>,
    /// Units in a pack.
    pub pack_size: Option<PackSize>,
    /// Grams.
    pub weight: Edit<Size>,
    /// Millimeters.
    pub length: Edit<Size>,
    /// Millimeters.
    pub width: Edit<Size>,
    /// Millimeters.
    pub height: Edit<Size>,
    /// Another number.
    pub number: Option<FeedNumber>,
    /// Vehicles that it fits.
    pub fitment: Option<FeedFitment>,
}

/// Reads the cells of one row and notes what is wrong with them.
struct Cells<'a, 'b> {
    header: &'a Header,
    texts: &'a [&'a str],
    line: u64,
    findings: &'b mut Vec<FeedFinding>,
    failed: bool,
}

impl Header {
    /// Reads a row. It is marked as refused if there are findings.
    #[must_use]
    pub fn row(&self, line: u64, cells: &[&str], findings: &mut Vec<FeedFinding>) -> FeedRow {
        let mut cells = Cells { header: self, texts: cells, line, findings, failed: false };
        if cells.texts.iter().skip(self.width).any(|cell| !cell.trim().is_empty()) {
            cells.note("", "row", "This row has more cells than the header.".to_owned());
        }
        let mut row = cells.key();
        match self.kind {
            FeedKind::Products => cells.product(&mut row),
            FeedKind::Stock => cells.stock(&mut row),
            FeedKind::Prices => cells.prices(&mut row),
            FeedKind::Numbers => row.number = cells.number(),
            FeedKind::Fitment => row.fitment = cells.fitment(),
        }
        row.line = line;
        row.refused = cells.failed;
        row
    }
}

impl Cells<'_, '_> {
    fn note(&mut self, field: &str, reason: &str, message: String) {
        self.failed = true;
        let (field, reason) = (field.to_owned(), reason.to_owned());
        self.findings.push(FeedFinding { line: self.line, field, reason, message });
    }

    fn wrong(&mut self, column: Column, why: &(impl Display + ?Sized)) {
        let why = why.to_string();
        let ends = if why.ends_with('.') { "" } else { "." };
        self.note(column.as_str(), "invalid", format!("{} {why}{ends}", column.label()));
    }

    /// The cell of a column as it is written; `None` if the file does not have it or it is empty.
    fn written(&self, column: Column) -> Option<&str> {
        let cell = self.texts.get(self.header.place(column)?)?.trim();
        (!cell.is_empty()).then_some(cell)
    }

    /// The value of a column that may be cleared.
    fn edit<T, E: Display>(&mut self, column: Column, parse: impl FnOnce(&str) -> Result<T, E>) -> Edit<T> {
        let parsed = match self.written(column) {
            None => return Edit::Keep,
            Some(CLEARS) => return Edit::Set(None),
            Some(cell) => parse(unguarded(cell).trim()),
        };
        match parsed {
            Ok(value) => Edit::Set(Some(value)),
            Err(why) => {
                self.wrong(column, &why);
                Edit::Keep
            }
        }
    }

    /// The value of a column that every product has.
    fn value<T, E: Display>(&mut self, column: Column, parse: impl FnOnce(&str) -> Result<T, E>) -> Option<T> {
        match self.edit(column, parse) {
            Edit::Keep => None,
            Edit::Set(Some(value)) => Some(value),
            Edit::Set(None) => {
                self.note(column.as_str(), "required", format!("{} can't be cleared.", column.label()));
                None
            }
        }
    }

    /// The value of a column without which a row says nothing.
    fn needed<T, E: Display>(&mut self, column: Column, parse: impl FnOnce(&str) -> Result<T, E>) -> Option<T> {
        if self.written(column).is_none() {
            self.note(column.as_str(), "required", format!("{} is required.", column.label()));
        }
        self.value(column, parse)
    }

    fn text<const MAX: usize>(&mut self, column: Column) -> Option<Text<MAX>> {
        self.value(column, Text::new)
    }

    fn whole<T, E: Display>(&mut self, column: Column, parse: impl FnOnce(i64) -> Result<T, E>) -> Option<T> {
        self.value(column, |cell| whole(cell, parse))
    }

    fn size(&mut self, column: Column) -> Edit<Size> {
        self.edit(column, |cell| whole(cell, Size::new))
    }

    fn key(&mut self) -> FeedRow {
        let id = self.value(Column::Id, |cell| cell.parse::<ProductId>().map_err(|_| "is not one of a product"));
        let brand = self.text(Column::Brand);
        let part_number: Option<Text<60>> = self.text(Column::PartNumber);
        let part_key = match part_number.as_ref().map(|number| PartKey::new(number.as_str())) {
            None => None,
            Some(Ok(key)) => Some(key),
            Some(Err(why)) => {
                self.wrong(Column::PartNumber, &why);
                None
            }
        };
        if id.is_none() && !self.failed && (brand.is_none() || part_key.is_none()) {
            let missing = if brand.is_none() { Column::Brand } else { Column::PartNumber };
            self.note(missing.as_str(), "required", format!("{} is required.", missing.label()));
        }
        FeedRow { id, brand, part_number, part_key, ..FeedRow::default() }
    }

    fn product(&mut self, row: &mut FeedRow) {
        row.name = self.text(Column::Name);
        row.description = self.text(Column::Description);
        row.category = self.value(Column::Category, |cell| cell.to_uppercase().parse::<Category>());
        row.price = self.price();
        row.available = self.whole(Column::AvailableQty, Stock::new);
        row.min_order = match self.edit(Column::MinOrder, |cell| whole(cell, MinOrder::effective)) {
            Edit::Keep => None,
            Edit::Set(Some(minimum)) => Some(minimum),
            Edit::Set(None) => MinOrder::effective(0).ok(),
        };
        row.img = self.value(Column::Img, str::parse);
        row.part_type = self.edit(Column::PartType, Text::new);
        row.universal = match self.edit(Column::Universal, flag) {
            Edit::Keep => None,
            Edit::Set(universal) => Some(universal.unwrap_or_default()),
        };
        row.pack_size = match self.edit(Column::PackSize, |cell| whole(cell, PackSize::new)) {
            Edit::Keep => None,
            Edit::Set(size) => Some(size.unwrap_or(PackSize::ONE)),
        };
        row.weight = self.size(Column::Weight);
        row.length = self.size(Column::Length);
        row.width = self.size(Column::Width);
        row.height = self.size(Column::Height);
    }

    fn price(&mut self) -> Option<UnitPrice> {
        let decimal_comma = self.header.decimal_comma;
        self.value(Column::Price, |cell| unit_price(cell, decimal_comma))
    }

    /// The list price, which everybody pays for one unit, or the price of a tier or of a price list.
    fn prices(&mut self, row: &mut FeedRow) {
        let list = self.edit(Column::List, Text::new).value();
        let from = match self.edit(Column::From, |cell| whole(cell, least_quantity)) {
            Edit::Set(from) => from.unwrap_or(1),
            // One that is wrong is not taken for the price of one unit, which another row may be about.
            Edit::Keep if self.written(Column::From).is_some() => 0,
            Edit::Keep => 1,
        };
        if list.is_none() && from == 1 {
            row.price = self.price();
            return;
        }
        let decimal_comma = self.header.decimal_comma;
        let price = self.edit(Column::Price, |cell| unit_price(cell, decimal_comma));
        row.tier = Some(FeedTier { list, from, price });
    }

    fn stock(&mut self, row: &mut FeedRow) {
        row.available = self.whole(Column::AvailableQty, Stock::new);
        row.arriving = self.whole(Column::AddQty, Stock::new);
        if row.available.is_some() && row.arriving.is_some() {
            let message = "A row sets the stock or adds to it, not both.".to_owned();
            self.note(Column::AddQty.as_str(), "invalid", message);
        }
    }

    fn fitment(&mut self) -> Option<FeedFitment> {
        let (make, model) = (self.needed(Column::Make, Text::new), self.needed(Column::Model, Text::new));
        let from = self.needed(Column::YearFrom, |cell| whole(cell, ModelYears::year));
        let to = self.edit(Column::YearTo, |cell| whole(cell, ModelYears::year)).value();
        let engine = self.edit(Column::Engine, Text::new).value();
        let submodel = self.edit(Column::Submodel, Text::new).value();
        let condition = self.edit(Column::Condition, Text::new).value();
        let position = self.edit(Column::Position, str::parse).value();
        let per_vehicle = self.edit(Column::PerVehicle, |cell| whole(cell, PerVehicle::new)).value();
        let removes = self.edit(Column::Action, removes).value().unwrap_or_default();
        let years = ModelYears::new(from?, to.or(from)?);
        if let Err(why) = years {
            self.note(Column::YearTo.as_str(), "invalid", format!("{why}."));
        }
        Some(FeedFitment {
            make: make?,
            model: model?,
            years: years.ok()?,
            engine,
            submodel,
            condition,
            position,
            per_vehicle: per_vehicle.unwrap_or(PerVehicle::ONE),
            removes,
        })
    }

    fn number(&mut self) -> Option<FeedNumber> {
        let kind: Option<NumberKind> = self.value(Column::Kind, |cell| cell.to_lowercase().parse());
        let shown: Option<Text<60>> = self.text(Column::Number);
        let brand = self.edit(Column::NumberBrand, Text::new).value();
        let note = self.edit(Column::Note, Text::new);
        for (column, is_missing) in [(Column::Kind, kind.is_none()), (Column::Number, shown.is_none())] {
            if is_missing && !self.failed {
                self.note(column.as_str(), "required", format!("{} is required.", column.label()));
            }
        }
        let (kind, shown) = (kind?, shown?);
        if kind == NumberKind::Own {
            let message = "A product's own number is what its row is found by. Change it in the product.".to_owned();
            self.note(Column::Kind.as_str(), "invalid", message);
        }
        // As the product's own screen keeps them: a GTIN is its digits.
        let written = match kind {
            NumberKind::Gtin => match shown.as_str().parse::<Gtin>() {
                Ok(gtin) => gtin.as_str().to_owned(),
                Err(why) => {
                    self.wrong(Column::Number, &why);
                    return None;
                }
            },
            _ => shown.as_str().to_owned(),
        };
        match PartKey::new(&written) {
            Ok(key) => Some(FeedNumber { kind, shown, key, brand, note }),
            Err(why) => {
                self.wrong(Column::Number, &why);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of a file with this header, and the sentences about it.
    fn read(kind: FeedKind, header: &str, row: &str) -> (FeedRow, Vec<String>) {
        let header = Header::read(kind, header.split(','), false).unwrap();
        let mut findings = Vec::new();
        let row = header.row(2, &row.split(',').collect::<Vec<_>>(), &mut findings);
        assert_eq!(row.refused, !findings.is_empty());
        (row, findings.into_iter().map(|finding| format!("{}: {}", finding.field, finding.message)).collect())
    }

    #[test]
    fn an_empty_cell_changes_nothing_and_a_dash_clears() {
        let header = "brand,part_number,name,price,weight,partType,minOrder,packSize,universal";
        let (row, findings) = read(FeedKind::Products, header, "Bosch,0 986,,,,,,,");
        assert_eq!(findings, [] as [String; 0]);
        assert_eq!((row.name, row.price, row.min_order, row.universal), (None, None, None, None));
        assert_eq!((row.weight, row.part_type), (Edit::Keep, Edit::Keep));
        let (row, findings) = read(FeedKind::Products, header, "Bosch,0 986,,,-,-,-,-,-");
        assert_eq!(findings, [] as [String; 0]);
        assert_eq!((row.weight, row.part_type), (Edit::Set(None), Edit::Set(None)));
        assert_eq!(
            (row.min_order.map(MinOrder::get), row.pack_size, row.universal),
            (Some(50), Some(PackSize::ONE), Some(false))
        );
        let (_, findings) = read(FeedKind::Products, header, "Bosch,0 986,-,-,,,,,");
        assert_eq!(findings, ["name: Name can't be cleared.", "price: Price can't be cleared."]);
        let (_, findings) = read(FeedKind::Products, header, "-,0 986,,,,,,,");
        assert_eq!(findings, ["brand: Brand can't be cleared."]);
    }

    #[test]
    fn whether_a_part_fits_every_vehicle_is_yes_or_no() {
        let header = "brand,part_number,universal";
        for (cell, universal) in
            [("yes", true), ("TRUE", true), ("1", true), ("No", false), ("false", false), ("0", false)]
        {
            let (row, findings) = read(FeedKind::Products, header, &format!("Bosch,1,{cell}"));
            assert_eq!((row.universal, findings), (Some(universal), Vec::new()), "{cell}");
        }
        let (_, findings) = read(FeedKind::Products, header, "Bosch,1,perhaps");
        assert_eq!(findings, ["universal: Universal must be yes or no."]);
    }

    #[test]
    fn numbers_are_text_and_quantities_and_prices_are_plain() {
        let (row, findings) = read(FeedKind::Stock, "brand,part_number,availableQty", "Bosch,1E10,007");
        assert_eq!(findings, [] as [String; 0]);
        assert_eq!(row.part_key.unwrap().as_str(), "1E10");
        assert_eq!(row.available.map(Stock::get), Some(7));
        for (cell, why) in [
            ("1e3", "must be a whole number."),
            ("1.5", "must be a whole number."),
            ("-5", "must not be negative."),
            ("99999999999999999999", "must be 1,000,000,000 or less."),
        ] {
            let (_, findings) =
                read(FeedKind::Stock, "_id,brand,part_number,availableQty", &format!(",Bosch,1,{cell}"));
            assert_eq!(findings, [format!("availableQty: Available quantity {why}")]);
        }
        for cell in ["1E10", "$5", "0", "NaN"] {
            let (_, findings) = read(FeedKind::Prices, "brand,part_number,price", &format!("Bosch,1,{cell}"));
            assert_eq!(findings.len(), 1, "{cell}");
        }
        // What a spreadsheet was kept from taking for a formula.
        let (row, _) = read(FeedKind::Prices, "brand,part_number,price", "'=Bosch,'-1,5");
        assert_eq!((row.brand.unwrap().as_str(), row.part_number.unwrap().as_str()), ("=Bosch", "-1"));
    }

    #[test]
    fn a_price_is_for_everybody_or_of_a_list_and_from_a_quantity_on() {
        let price = |row| read(FeedKind::Prices, "brand,part_number,list,from,price", row);
        for row in ["Bosch,1,,,5", "Bosch,1,,1,5", "Bosch,1,-,1,5"] {
            let (row, findings) = price(row);
            assert_eq!((findings.len(), row.price.map(|price| price.money().cents()), row.tier), (0, Some(500), None));
        }
        let tier = |row| price(row).0.tier.unwrap();
        let found = tier("Bosch,1,,200,4.5");
        assert_eq!((found.list, found.from, found.price), (None, 200, Edit::Set(UnitPrice::from_dollars(4.5).ok())));
        let found = tier("Bosch,1,Workshops,,-");
        assert_eq!((found.list.unwrap().as_str(), found.from, found.price), ("Workshops", 1, Edit::Set(None)));
        assert_eq!(tier("Bosch,1,,200,").price, Edit::Keep);
        for (row, expected) in [
            ("Bosch,1,,0,5", "from: Least quantity must be between 1 and 1,000,000,000."),
            ("Bosch,1,,1000000001,5", "from: Least quantity must be between 1 and 1,000,000,000."),
            ("Bosch,1,,1.5,5", "from: Least quantity must be a whole number."),
            ("Bosch,1,,,-", "price: Price can't be cleared."),
        ] {
            assert_eq!(price(row).1, [expected]);
        }
        assert_eq!(price("Bosch,1,Workshops,50,0").1.len(), 1);
        let wrong = price("Bosch,1,,0,5").0;
        assert_eq!((wrong.price, wrong.tier.map(|tier| tier.from)), (None, Some(0)), "not the price of one unit");
    }

    #[test]
    fn a_row_needs_a_key_and_no_more_cells_than_the_header() {
        let stock = |row| read(FeedKind::Stock, "_id,brand,part_number,availableQty,addQty", row).1;
        assert_eq!(stock(",Bosch,,5,"), ["part_number: Part number is required."]);
        assert_eq!(stock(",,123,5,"), ["brand: Brand is required."]);
        assert_eq!(stock(",Bosch,--.,5,"), ["part_number: Part number needs at least one letter or digit."]);
        assert_eq!(stock("nonsense,,,5,"), ["_id: Id is not one of a product."]);
        assert_eq!(stock(",Bosch,1,5,,6"), [": This row has more cells than the header."]);
        assert_eq!(stock(",Bosch,1,5,6"), ["addQty: A row sets the stock or adds to it, not both."]);
        let id = "0199f3a0-0000-7000-8000-000000000000";
        let (row, findings) = read(FeedKind::Stock, "_id,availableQty", &format!("{id},5"));
        assert_eq!((row.id.map(|id| id.to_string()).as_deref(), findings), (Some(id), Vec::new()));
    }

    #[test]
    fn a_fitment_has_a_make_a_model_and_years_in_their_order() {
        let header =
            "brand,part_number,make,model,year_from,year_to,engine,submodel,position,per_vehicle,condition,action";
        let fitment = |row| read(FeedKind::Fitment, header, row);
        let (row, findings) = fitment("Bosch,1,VW,Golf,2014,2016,2.0L L4,GTI,Front-Left,2,not with PR 1ZA,d");
        assert_eq!(findings, [] as [String; 0]);
        let found = row.fitment.unwrap();
        assert_eq!(
            (found.make.as_str(), found.years, found.removes),
            ("VW", ModelYears::new(2014, 2016).unwrap(), true)
        );
        assert_eq!((found.position, found.per_vehicle.get()), (Some(Position::FrontLeft), 2));
        let bare = fitment("Bosch,1,VW,Golf,2014,,-,,,,,").0.fitment.unwrap();
        for adds in ["Bosch,1,VW,Golf,2014,,,,,,,A", "Bosch,1,VW,Golf,2014,,,,,,,a"] {
            assert_eq!(fitment(adds).0.fitment.as_ref(), Some(&bare));
        }
        assert_eq!(
            (bare.years, bare.engine, bare.per_vehicle, bare.removes),
            (ModelYears::new(2014, 2014).unwrap(), None, PerVehicle::ONE, false)
        );
        for (row, expected) in [
            ("Bosch,1,,Golf,2014,,,,,,,", "make: Make is required."),
            ("Bosch,1,VW,-,2014,,,,,,,", "model: Model can't be cleared."),
            ("Bosch,1,VW,Golf,,2014,,,,,,", "year_from: First year is required."),
            ("Bosch,1,VW,Golf,14,,,,,,,", "year_from: First year must be a year."),
            ("Bosch,1,VW,Golf,2014,2013,,,,,,", "year_to: The last year is before the first."),
            ("Bosch,1,VW,Golf,1950,2011,,,,,,", "year_to: The years can be at most 60 apart."),
            ("Bosch,1,VW,Golf,2014,,,,,0,,", "per_vehicle: Pieces per vehicle must be between 1 and 1000."),
            ("Bosch,1,VW,Golf,2014,,,,,,,X", "action: Action must be A (add) or D (delete)."),
        ] {
            assert_eq!(fitment(row).1, [expected]);
        }
        assert_eq!(fitment("Bosch,1,VW,Golf,2014,,,,middle,,,").1.len(), 1);
    }

    #[test]
    fn another_number_has_a_kind_and_is_compared_as_everywhere() {
        let number = |row| read(FeedKind::Numbers, "brand,part_number,kind,number,number_brand,note", row);
        let (row, findings) = number("Bosch,1,OE,16-07,Volvo,-");
        assert_eq!(findings, [] as [String; 0]);
        let found = row.number.unwrap();
        assert_eq!((found.kind, found.key.as_str(), found.note), (NumberKind::Oe, "1607", Edit::Set(None)));
        assert_eq!(number("Bosch,1,gtin,4006381333931,,").0.number.unwrap().key.as_str(), "4006381333931");
        assert_eq!(number("Bosch,1,gtin,4006381333930,,").1.len(), 1, "a wrong check digit");
        assert_eq!(number("Bosch,1,,16-07,,").1, ["kind: Kind is required."]);
        assert_eq!(number("Bosch,1,oe,,,").1, ["number: Number is required."]);
        assert_eq!(number("Bosch,1,oe,-,,").1, ["number: Number can't be cleared."]);
        assert_eq!(number("Bosch,1,own,2,,").1.len(), 1);
    }
}
