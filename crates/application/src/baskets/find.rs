//! Which products the lines of a text mean.

use std::collections::HashMap;
use std::sync::Arc;

use domain::{AskedNumber, AskedUnits, PartKey, Product, ProductId, QuickLine, Reading, RowNote};
use ports::{NumberMatch, StoreError};

use crate::Baskets;
use crate::baskets::row::{Line, Meaning, called};

/// For how many numbers that are not found the closest ones are looked for: each is a search of its own.
const SUGGESTED_MAX: usize = 50;

/// A line, the reading that was chosen, and what it leads to.
struct Chosen {
    line: QuickLine,
    reading: Option<Reading>,
    matches: Vec<NumberMatch>,
}

impl Baskets {
    /// The lines of a text with what they mean. The number of statements does not depend on the number of lines.
    pub(super) async fn found(&self, lines: Vec<QuickLine>) -> Result<Vec<Line>, StoreError> {
        let chosen = self.chosen(lines).await?;
        let close = self.close(&chosen).await?;
        let matched = chosen.iter().flat_map(|chosen| NumberMatch::best(&chosen.matches)).map(|found| found.product);
        let products = self.for_sale(matched.chain(close.values().flatten().copied()).collect()).await?;
        let meaning = |chosen: Chosen| {
            let meaning = meaning(&chosen, &products, &close);
            let asked = chosen.reading.map_or(AskedUnits::Missing, |reading| reading.quantity);
            Line { no: chosen.line.line, text: chosen.line.text, asked, meaning }
        };
        Ok(chosen.into_iter().map(meaning).collect())
    }

    /// Of each line the first reading that leads to something for sale, else the first that leads to anything, else the first.
    async fn chosen(&self, lines: Vec<QuickLine>) -> Result<Vec<Chosen>, StoreError> {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut asked = Vec::new();
        for reading in lines.iter().filter_map(|line| line.readings.as_ref().ok()).flatten() {
            if places.contains_key(&reading.number) {
                continue;
            }
            if let Some(number) = AskedNumber::new(&reading.number) {
                places.insert(reading.number.clone(), asked.len());
                asked.push(number);
            }
        }
        let found = if asked.is_empty() { Vec::new() } else { self.parts.by_numbers(&asked).await? };
        let matches =
            |reading: &Reading| places.get(&reading.number).and_then(|place| found.get(*place)).map_or(&[][..], |m| m);
        let choose = |line: QuickLine| {
            let readings = line.readings.as_deref().unwrap_or_default();
            let for_sale = readings.iter().find(|reading| matches(reading).iter().any(|found| !found.is_archived));
            let any = for_sale.or_else(|| readings.iter().find(|reading| !matches(reading).is_empty()));
            let reading = any.or_else(|| readings.first()).cloned();
            let matches = reading.as_ref().map(|reading| matches(reading).to_vec()).unwrap_or_default();
            Chosen { line, reading, matches }
        };
        Ok(lines.into_iter().map(choose).collect())
    }

    /// The products whose numbers are close to those that lead to nothing, by the number as it was written.
    async fn close(&self, chosen: &[Chosen]) -> Result<HashMap<String, Vec<ProductId>>, StoreError> {
        let mut numbers: Vec<&str> = Vec::new();
        let mut keys = Vec::new();
        for chosen in chosen.iter().filter(|chosen| chosen.matches.is_empty()) {
            let Some(number) = chosen.reading.as_ref().map(|reading| reading.number.as_str()) else { continue };
            if keys.len() == SUGGESTED_MAX {
                break;
            }
            if let Some(key) = without_brand(number).filter(|_| !numbers.contains(&number)) {
                numbers.push(number);
                keys.push(key);
            }
        }
        if keys.is_empty() {
            return Ok(HashMap::new());
        }
        let close = self.parts.close_to(&keys).await?;
        Ok(numbers.into_iter().map(ToOwned::to_owned).zip(close).collect())
    }

    /// Those of these products that are for sale, in one statement.
    pub(super) async fn for_sale(
        &self,
        mut ids: Vec<ProductId>,
    ) -> Result<HashMap<ProductId, Arc<Product>>, StoreError> {
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let products = self.products.find_all(&ids, false).await?;
        Ok(products.into_iter().map(|product| (product.id, Arc::new(product))).collect())
    }
}

/// The key of a number, without the word before it if that is more likely a brand's than the beginning of the number.
fn without_brand(number: &str) -> Option<PartKey> {
    let number = number.trim();
    let is_brand = |word: &str| word.chars().count() > 3 && word.chars().all(char::is_alphabetic);
    let bare = number.split_once(' ').filter(|(first, _)| is_brand(first));
    bare.and_then(|(_, rest)| PartKey::new(rest).ok()).or_else(|| PartKey::new(number).ok())
}

fn meaning(
    chosen: &Chosen,
    products: &HashMap<ProductId, Arc<Product>>,
    close: &HashMap<String, Vec<ProductId>>,
) -> Meaning {
    let Some(reading) = &chosen.reading else {
        let fault = chosen.line.readings.as_ref().err().copied().unwrap_or(domain::LineFault::NoNumber);
        return Meaning::Nothing { why: RowNote::Line(fault), close: Vec::new(), former: None };
    };
    let of = |ids: &mut dyn Iterator<Item = ProductId>| -> Vec<Arc<Product>> {
        ids.filter_map(|id| products.get(&id).cloned()).collect()
    };
    let number = &reading.number;
    let mut found = of(&mut NumberMatch::best(&chosen.matches).map(|found| found.product));
    if found.len() > 1 {
        return Meaning::Several(found);
    }
    if let Some(product) = found.pop() {
        let matched = NumberMatch::best(&chosen.matches).find(|found| found.product == product.id);
        let is_successor = matched.is_some_and(|matched| matched.tier == 3);
        let note = if is_successor {
            Some(RowNote::Replaced { what: number.clone(), by: called(&product) })
        } else {
            matched.and_then(|matched| matched.via.clone()).map(RowNote::Found)
        };
        return Meaning::Part { product, is_successor, note };
    }
    if !chosen.matches.is_empty() {
        let why = RowNote::NotSold { what: number.clone() };
        return Meaning::Nothing { why, close: Vec::new(), former: None };
    }
    let close = of(&mut close.get(number).into_iter().flatten().copied());
    let names = close.iter().map(|product| called(product)).collect();
    Meaning::Nothing { why: RowNote::NotFound { number: number.clone(), close: names }, close, former: None }
}

#[cfg(test)]
mod tests {
    use domain::{Role, RowStatus, Via, message};
    use ports::MockOrderedParts;

    use super::*;
    use crate::baskets::check::tests::{baskets, cheaper_from, id, part, selling};
    use crate::baskets::row::CheckedRow;
    use crate::testing::{caller, ports};
    use crate::{Choice, Ports};

    /// A product to which a number leads, matching so well.
    fn leads_to(product: u128, tier: u8) -> NumberMatch {
        NumberMatch { product: id(product), tier, via: None, is_archived: false }
    }

    fn archived(product: u128) -> NumberMatch {
        NumberMatch { is_archived: true, ..leads_to(product, 1) }
    }

    /// Checks a text where each number, as it is compared, leads to these products. All but 9 are for sale.
    async fn checked(text: &str, numbers: Vec<(&'static str, NumberMatch)>) -> Vec<CheckedRow> {
        let mut parts = MockOrderedParts::new();
        parts.expect_by_numbers().returning(move |asked| {
            let found = |asked: &AskedNumber| -> Vec<NumberMatch> {
                let own = numbers.iter().filter(|(key, _)| asked.key.as_str() == *key);
                own.map(|(_, found)| found.clone()).collect()
            };
            Ok(asked.iter().map(found).collect())
        });
        let products = selling(vec![cheaper_from(50, part(4)), part(5), part(6)], vec![part(9)]);
        let shop = Ports { ordered_parts: Arc::new(parts), products: Arc::new(products), ..ports() };
        baskets(&shop).check_text(&caller(Role::Customer), text).await.unwrap()
    }

    #[tokio::test]
    async fn a_line_means_the_part_of_its_number_or_the_one_that_replaced_it() {
        let others = NumberMatch { via: Some(Via::SameAs("Bosch B-9".to_owned())), ..leads_to(6, 4) };
        let numbers = vec![("DL4", leads_to(4, 1)), ("OLD1", leads_to(5, 3)), ("B9", others)];
        let rows = checked("DL-4 60\n\nOLD-1 70\nB-9 80", numbers).await;
        let row = |row: &CheckedRow| {
            (row.line, row.text.clone(), row.status, row.for_sale(), row.is_successor, message(&row.notes))
        };
        let expected = |line: u32, text: &str, status, product, is_successor, message: &str| {
            (line, text.to_owned(), status, Some(id(product)), is_successor, message.to_owned())
        };
        assert_eq!(
            rows.iter().map(row).collect::<Vec<_>>(),
            [
                expected(1, "DL-4 60", RowStatus::Ok, 4, false, ""),
                expected(3, "OLD-1 70", RowStatus::Replaced, 5, true, "OLD-1 was replaced by DL-5."),
                expected(4, "B-9 80", RowStatus::Ok, 6, false, "Same as Bosch B-9."),
            ]
        );
    }

    #[tokio::test]
    async fn a_number_of_several_parts_is_left_to_the_buyer_at_the_price_of_a_minimum_order() {
        let numbers = vec![("DL7", leads_to(4, 1)), ("DL7", leads_to(5, 1)), ("DL7", leads_to(6, 4))];
        let rows = checked("DL-7 60", numbers).await;
        let [row] = &rows[..] else { panic!("{rows:?}") };
        assert_eq!((row.status, row.quantity, row.for_sale()), (RowStatus::Choose, 60, None));
        assert_eq!(message(&row.notes), "2 parts have this number. Choose one.");
        let choice = |choice: &Choice| (choice.product.id, choice.unit.money().cents());
        assert_eq!(row.choices.iter().map(choice).collect::<Vec<_>>(), [(id(4), 10_000), (id(5), 12_999)]);
    }

    #[tokio::test]
    async fn a_line_that_can_be_read_in_several_ways_means_what_is_for_sale_or_else_what_was() {
        let rows = checked("60 50", vec![("60", archived(9)), ("50", leads_to(5, 1))]).await;
        assert_eq!((rows[0].status, rows[0].for_sale(), rows[0].quantity), (RowStatus::Ok, Some(id(5)), 60));
        let rows = checked("60 50", vec![("50", archived(9))]).await;
        assert_eq!((rows[0].status, rows[0].for_sale(), rows[0].quantity), (RowStatus::Unknown, None, 60));
        assert_eq!(message(&rows[0].notes), "50 is no longer sold.");
    }

    #[test]
    fn numbers_are_close_to_each_other_and_not_to_brands() {
        for (number, key) in [
            ("DL-BD 3120", "DLBD3120"),
            ("DL BD 3120", "DLBD3120"),
            ("Bosch 0 986 479 B12", "0986479B12"),
            ("0 986 479 B12", "0986479B12"),
            ("DL-BD-3120", "DLBD3120"),
            ("Mann W 712", "W712"),
            // Three characters may as well be the beginning of a number.
            ("SKF 6205", "SKF6205"),
            ("Bosch -", "BOSCH"),
        ] {
            assert_eq!(without_brand(number).unwrap().as_str(), key, "{number}");
        }
        assert_eq!(without_brand("-"), None);
    }
}
