use std::collections::HashMap;
use std::sync::Arc;

use domain::{PartFitments, Role, Stock, Verdict, WantedVehicle};
use ports::{MockFitmentRepository, MockOrderedParts, MockProductRepository};
use uuid::Uuid;

use super::*;
use crate::Ports;
use crate::testing::{caller, checkouts_on, ports, product};

pub(in crate::checkout) fn id(n: u128) -> ProductId {
    ProductId::new(Uuid::from_u128(n))
}

/// A part of 129.99 of which there are 500 units.
pub(in crate::checkout) fn part(n: u128, brand: Option<&str>) -> Product {
    let mut part = Product { id: id(n), ..product() };
    part.details.facts.brand = brand.map(|brand| Text::new(brand).unwrap());
    part
}

fn line(number: u16, product: LineProduct, quantity: i64) -> CheckoutLineCommand {
    CheckoutLineCommand { line: number, product, quantity, shown: None, vehicle: None }
}

pub(in crate::checkout) fn by_id(number: u16, product: u128, quantity: i64) -> CheckoutLineCommand {
    line(number, LineProduct::ById(id(product)), quantity)
}

/// A repository in which these products are for sale.
pub(in crate::checkout) fn selling(products: Vec<Product>) -> MockProductRepository {
    let mut store = MockProductRepository::new();
    store.expect_find_all().returning(move |ids, archived| {
        assert!(!archived);
        Ok(products.iter().filter(|product| ids.contains(&product.id)).cloned().collect())
    });
    store
}

async fn judged(ports: Ports, lines: &[CheckoutLineCommand]) -> Judged {
    checkouts_on(&ports).judge_lines(caller(Role::Customer).account, lines, true).await.unwrap()
}

/// Judges lines of part 4, of which there are so many.
async fn judged_of(stock: i64, quantities: &[i64]) -> Judged {
    let mut product = part(4, None);
    product.details.available = Stock::new(stock).unwrap();
    let lines: Vec<CheckoutLineCommand> =
        (1..).zip(quantities).map(|(number, quantity)| by_id(number, 4, *quantity)).collect();
    judged(Ports { products: Arc::new(selling(vec![product])), ..ports() }, &lines).await
}

fn refused(line: u16, why: TakeRefused) -> Vec<RefusedLine> {
    vec![RefusedLine { line, why: LineRefused::Order(PlaceRefused::Stock(why)) }]
}

#[tokio::test]
async fn lines_of_products_that_are_gone_name_what_replaced_them() {
    let mut numbers = MockOrderedParts::new();
    numbers.expect_successors().times(1).returning(|gone| {
        assert_eq!(gone, [id(9), id(8)]);
        Ok(HashMap::from([(id(9), id(4))]))
    });
    let ports = Ports { products: Arc::new(selling(vec![part(4, None)])), ordered_parts: Arc::new(numbers), ..ports() };
    let lines = [by_id(1, 9, 50), by_id(2, 4, 60), by_id(3, 8, 50), by_id(4, 9, 10)];
    let judged = judged(ports, &lines).await;
    let kept: Vec<_> = judged.lines.iter().map(|one| (one.line, one.quantity.get(), one.goods.cents())).collect();
    assert_eq!(kept, [(2, 60, 779_940)]);
    let gone = |line, replaced_by| RefusedLine { line, why: LineRefused::Gone { replaced_by } };
    assert_eq!(judged.refused, [gone(1, Some(id(4))), gone(3, None), gone(4, Some(id(4)))]);
}

#[tokio::test]
async fn a_number_of_several_products_means_the_one_of_the_brand_that_is_named() {
    let number = |line: u16, brand: Option<&str>| {
        let brand = brand.map(|brand| Text::new(brand).unwrap());
        let number = Text::new("0 986 479 098").unwrap();
        self::line(line, LineProduct::ByNumber { number, brand }, 50)
    };
    let mut numbers = MockOrderedParts::new();
    numbers.expect_by_numbers().times(1).returning(|asked| {
        assert_eq!(asked.len(), 1, "each number is looked for once");
        let found = |n| NumberMatch { product: id(n), tier: 1, via: None, is_archived: false };
        Ok(vec![vec![found(4), found(5), found(6)]])
    });
    let products = vec![part(4, Some("Bosch")), part(5, Some("ATE")), part(6, None)];
    let ports = Ports { products: Arc::new(selling(products)), ordered_parts: Arc::new(numbers), ..ports() };
    let lines = [number(1, None), number(2, Some("bosch")), number(3, Some("Valeo"))];
    let judged = judged(ports, &lines).await;
    assert_eq!(judged.lines.iter().map(|one| (one.line, one.product.id)).collect::<Vec<_>>(), [(2, id(4))]);
    let refused = |line, why| RefusedLine { line, why };
    assert_eq!(judged.refused, [refused(1, LineRefused::SeveralProducts), refused(3, LineRefused::UnknownNumber)]);
}

#[tokio::test]
async fn the_lines_of_one_product_are_judged_together_but_none_below_one_unit() {
    let kept = judged_of(500, &[1, 49]).await;
    assert_eq!(kept.lines.iter().map(|one| (one.line, one.quantity.get())).collect::<Vec<_>>(), [(1, 50)]);
    assert_eq!(kept.refused, []);
    let below = TakeRefused::BelowMinimum { minimum: 50 };
    assert_eq!(judged_of(500, &[60, 0]).await.refused, refused(2, below));
    assert_eq!(judged_of(500, &[-1, 60]).await.refused, refused(1, below));
}

#[tokio::test]
async fn too_few_units_are_below_the_minimum_unless_not_even_that_many_are_left() {
    assert_eq!(judged_of(50, &[49]).await.refused, refused(1, TakeRefused::BelowMinimum { minimum: 50 }));
    let left = |left| TakeRefused::NotEnough { left: Stock::new(left).unwrap() };
    assert_eq!(judged_of(49, &[49]).await.refused, refused(1, left(49)));
    assert_eq!(judged_of(500, &[501]).await.refused, refused(1, left(500)));
    assert_eq!(judged_of(500, &[i64::MAX]).await.refused, refused(1, left(500)));
}

#[tokio::test]
async fn a_line_keeps_the_vehicle_that_it_is_for_and_what_was_known_of_it() {
    let choice = |confirmed: &[i32]| VehicleChoice {
        wanted: WantedVehicle::new(VehicleNo::new(7), Vec::new(), None).unwrap(),
        label: Text::new("2014 Toyota Camry").unwrap(),
        confirmed: confirmed.iter().copied().map(domain::ConditionId::new).collect(),
    };
    let mut fitments = MockFitmentRepository::new();
    fitments.expect_of_vehicle().times(1).returning(|products, vehicle| {
        assert_eq!((products, vehicle), (&[id(4), id(5)][..], VehicleNo::new(7)));
        let universal = PartFitments { universal: true, ..PartFitments::default() };
        Ok(HashMap::from([(id(4), universal.clone()), (id(5), universal)]))
    });
    let products = vec![part(4, None), part(5, None), part(6, None)];
    let ports = Ports { products: Arc::new(selling(products)), fitments: Arc::new(fitments), ..ports() };
    let for_vehicle = |product, confirmed: &[i32]| {
        let line = u16::try_from(product).unwrap();
        CheckoutLineCommand { vehicle: Some(choice(confirmed)), ..by_id(line, product, 50) }
    };
    let judged = judged(ports, &[for_vehicle(4, &[]), for_vehicle(5, &[1]), by_id(6, 6, 50)]).await;
    let vehicles: Vec<_> =
        judged.lines.iter().map(|one| (one.line, one.vehicle.as_ref().map(|of| of.verdict))).collect();
    assert_eq!(vehicles, [(4, Some(Verdict::Universal)), (6, None)]);
    let why = LineRefused::Order(PlaceRefused::OtherConditions);
    assert_eq!(judged.refused, [RefusedLine { line: 5, why }], "that condition is not one of the part's");
}
