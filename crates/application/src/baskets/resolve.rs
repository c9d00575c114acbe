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
