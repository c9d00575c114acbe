//! Which products stored lines mean now.

use std::collections::HashMap;
use std::sync::Arc;

use domain::{AskedUnits, BasketLine, Product, ProductId, RowNote};
use ports::StoreError;

use crate::Baskets;
use crate::baskets::row::{Line, Meaning, called};

impl Baskets {
    /// Stored lines with what they mean now. The number of statements does not depend on the number of lines.
    pub(super) async fn resolved(&self, lines: &[BasketLine]) -> Result<Vec<Line>, StoreError> {
        let ids: Vec<ProductId> = lines.iter().map(|line| line.product).collect();
        let mut products = self.for_sale(ids.clone()).await?;
        let gone: Vec<ProductId> = ids.into_iter().filter(|id| !products.contains_key(id)).collect();
        let (mut former, mut successors) = (HashMap::new(), HashMap::new());
        if !gone.is_empty() {
            let archived = self.products.find_all(&gone, true).await?;
            former = archived.into_iter().map(|product| (product.id, Arc::new(product))).collect();
            successors = self.parts.successors(&gone).await?;
            products.extend(self.for_sale(successors.values().copied().collect()).await?);
        }
        let line = |(no, stored): (u32, &BasketLine)| {
            let meaning = meaning(stored.product, &products, &former, &successors);
            let text = match &meaning {
                Meaning::Part { product, is_successor: false, .. } => called(product),
                _ => former.get(&stored.product).map(|former| called(former)).unwrap_or_default(),
            };
            let text = format!("{text} {}", stored.units.get()).trim().to_owned();
            Line { no, text, asked: AskedUnits::Units(stored.units), meaning }
        };
        Ok((1..).zip(lines).map(line).collect())
    }
}

type Products = HashMap<ProductId, Arc<Product>>;

fn meaning(
    id: ProductId,
    products: &Products,
    former: &Products,
    successors: &HashMap<ProductId, ProductId>,
) -> Meaning {
    if let Some(product) = products.get(&id).filter(|_| !successors.contains_key(&id)) {
        return Meaning::Part { product: Arc::clone(product), is_successor: false, note: None };
    }
    let was = former.get(&id).cloned();
    let what = was.as_deref().map(called);
    match (what, successors.get(&id).and_then(|id| products.get(id))) {
        (Some(what), Some(successor)) => {
            let note = RowNote::Replaced { what, by: called(successor) };
            Meaning::Part { product: Arc::clone(successor), is_successor: true, note: Some(note) }
        }
        (Some(what), None) => Meaning::Nothing { why: RowNote::NotSold { what }, close: Vec::new(), former: was },
        (None, _) => Meaning::Nothing { why: RowNote::NoProduct, close: Vec::new(), former: None },
    }
}

#[cfg(test)]
mod tests {
    use domain::{Role, RowStatus, message};
    use ports::MockOrderedParts;

    use super::*;
    use crate::Ports;
    use crate::baskets::check::PricedBy;
    use crate::baskets::check::tests::{baskets, id, line, part, selling, stocked};
    use crate::baskets::row::CheckedRow;
    use crate::testing::{caller, ports};

    #[tokio::test]
    async fn stored_lines_mean_what_is_sold_now() {
        let mut parts = MockOrderedParts::new();
        parts.expect_successors().times(1).returning(|gone| {
            assert_eq!(gone, [id(5), id(6), id(7), id(8)]);
            Ok(HashMap::from([(id(5), id(9)), (id(6), id(10))]))
        });
        let products = selling(vec![part(4), part(9), stocked(0, part(10))], vec![part(5), part(6), part(7)]);
        let baskets = baskets(&Ports { ordered_parts: Arc::new(parts), products: Arc::new(products), ..ports() });
        let lines = [4, 5, 6, 7, 8].map(|n| line(n, 60));
        let rows = baskets.check_lines(&caller(Role::Customer), &lines, PricedBy::Orderable).await.unwrap();
        let row = |row: &CheckedRow| (row.line, row.text.clone(), row.status, row.for_sale(), message(&row.notes));
        let expected = |line: u32, text: &str, status, product: Option<u128>, message: &str| {
            (line, text.to_owned(), status, product.map(id), message.to_owned())
        };
        assert_eq!(
            rows.iter().map(row).collect::<Vec<_>>(),
            [
                expected(1, "DL-4 60", RowStatus::Ok, Some(4), ""),
                expected(2, "DL-5 60", RowStatus::Replaced, Some(9), "DL-5 was replaced by DL-9."),
                expected(3, "DL-6 60", RowStatus::Short, Some(10), "DL-6 was replaced by DL-10. Out of stock."),
                expected(4, "DL-7 60", RowStatus::Unknown, None, "DL-7 is no longer sold."),
                expected(5, "60", RowStatus::Unknown, None, "We couldn't find this part."),
            ]
        );
        let shown: Vec<_> = rows.iter().map(|row| row.product.as_ref().map(|product| product.id)).collect();
        assert_eq!(shown, [Some(id(4)), Some(id(9)), Some(id(10)), Some(id(7)), None]);
    }
}
