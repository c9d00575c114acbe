//! Lists of what a search found, against whole lists of which the others are left out.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use domain::Product;
use ports::{Candidate, Pagination, ProductQuery, ProductSort, SortOrder};
use uuid::Uuid;

use super::choice_tests::{change, product, query};
use super::tests::{Dice, ids, loaded, no, part};
use super::{Part, Snapshot};

fn among(snapshot: &Arc<Snapshot>, query: &ProductQuery, candidates: &[Candidate]) -> Part {
    snapshot.part_among(query, candidates).unwrap()
}

/// All of them, page by page.
fn paged(snapshot: &Arc<Snapshot>, query: &ProductQuery, candidates: &[Candidate], total: usize) -> Vec<Uuid> {
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let page = Pagination { limit: Some(7), after, uncounted: false };
        let page = among(snapshot, &ProductQuery { page, ..query.clone() }, candidates);
        assert_eq!(page.total, total);
        let these = ids(&page.array());
        assert_eq!(page.ids().into_iter().map(domain::ProductId::uuid).collect::<Vec<_>>(), these);
        found.extend(these);
        after = page.next;
        if after.is_none() {
            return found;
        }
    }
}

#[test]
fn what_was_found_is_listed_by_rank_and_then_in_the_order_of_the_list() {
    let mut dice = Dice(11);
    let mut products: BTreeMap<Uuid, Product> =
        (1..900).map(|id| product(&mut dice, id)).map(|product| (product.id.uuid(), product)).collect();
    let mut snapshot = Arc::new(loaded(products.values()));
    let mut many = 0;
    for number in 2..40 {
        // Few or many of them, also of products that are gone by now, whose slots others have.
        let one_of = [1, 2, 30][dice.throw(3) as usize];
        let mut ranks = HashMap::new();
        for no in 1..1_100 {
            if dice.throw(one_of) == 0 {
                ranks.insert(no, u8::from(dice.throw(3) == 0));
            }
        }
        let candidates: Vec<Candidate> =
            ranks.iter().map(|(no, rank)| Candidate { no: *no, rank: *rank, positions: 0 }).collect();
        let mut wanted = if number % 3 == 0 { ProductQuery::default() } else { query(&mut dice) };
        if dice.throw(2) == 0 {
            wanted.sort = ProductSort::Price(SortOrder::Descending);
        }
        let whole = ids(&part(&snapshot, &wanted).array());
        let rank = |id: &Uuid| ranks.get(&no(&products[id])).copied();
        let expected = [0, 1].map(|wanted| whole.iter().copied().filter(move |id| rank(id) == Some(wanted)));
        let expected: Vec<Uuid> = expected.into_iter().flatten().collect();
        let list = among(&snapshot, &wanted, &candidates);
        assert_eq!(ids(&list.array()), expected, "{wanted:?}");
        assert_eq!(paged(&snapshot, &wanted, &candidates, expected.len()), expected, "{wanted:?}");
        assert_eq!(snapshot.facets_among(&wanted, &candidates).unwrap().total, expected.len() as u64);
        many += usize::from(expected.len() > 500);
        let some = [1, 60][dice.throw(2) as usize];
        let changes = change(&mut dice, &mut products, some, 1_100);
        snapshot = Arc::new(snapshot.with(number, changes).unwrap());
    }
    assert!(many > 0, "{many} lists that are gone through");
}
