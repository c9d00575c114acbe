//! Placing an order.

use domain::catalog::quantity::QuantityError;
use domain::catalog::stock::TakeRefused;
use domain::orders::refusals::PlaceRefused;
use domain::{
    Caller, Category, Contact, EventId, Fit, Order, OrderId, OrderedVehicle, Permission, PictureUrl, PriceRules,
    Product, ProductId, Quantity, Text, VehicleChoice,
};
use ports::{IdempotencyKey, NewOrder, PlaceError, PriceBasis};

use crate::change_order::{Attempt, until_written};
use crate::{Failure, Orders, Unavailable};

/// How the customer selects the product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProductSelector {
    /// By id.
    ById(ProductId),
    /// By attributes: the only product with exactly this name, category and picture.
    ByAttributes { name: String, category: Category, img: PictureUrl },
}

/// The command to place an order.
#[derive(Debug, Clone)]
pub struct PlaceOrder {
    pub selector: ProductSelector,
    /// How many units: any whole number, checked against the product.
    pub quantity: i64,
    /// The total in dollars that the customer was shown, if sent: only compared, never used.
    pub shown_total: Option<f64>,
    /// The customer's name.
    pub name: Text<120>,
    /// The customer's e-mail address, if sent: it must be the caller's own.
    pub email: Option<String>,
    /// The customer's telephone number.
    pub phone: Text<40>,
    /// The delivery address.
    pub address: Text<500>,
    /// The vehicle that the part is for, if the customer named one.
    pub vehicle: Option<VehicleChoice>,
    pub idempotency_key: Option<IdempotencyKey>,
    /// Whether the request holds the claim on its key, see [`NewOrder::holds_claim`].
    pub holds_claim: bool,
}

/// An order that was placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedOrder {
    pub id: OrderId,
    /// Whether an earlier request placed it, under the same idempotency key.
    pub is_repeat: bool,
}

impl Orders {
    /// Places an order at the product's current price, and takes its units from stock. Repeating the call with the same
    /// idempotency key of the same caller places nothing and returns the first order, whatever has happened to the
    /// product since.
    ///
    /// # Errors
    /// [`PlaceRefused`]; then the stock is unchanged.
    pub async fn place_order(
        &self,
        caller: &Caller,
        command: PlaceOrder,
    ) -> Result<PlacedOrder, Failure<PlaceRefused>> {
        caller.require_self(Permission::PlaceOrder, command.email.as_deref().unwrap_or(caller.email.as_str()))?;
        match (self.place_at_todays_price(caller, &command).await, command.idempotency_key) {
            (Err(Failure::Unavailable(Unavailable::Store(error))), _) => Err(error.into()),
            // The refusal may be an effect of the first order itself: it took the units that are missing now.
            (Err(refused), Some(key)) => {
                let first = self.orders.placed_under(caller.account, key).await?;
                first.map(|id| PlacedOrder { id, is_repeat: true }).ok_or(refused)
            }
            (placed, _) => placed,
        }
    }

    async fn place_at_todays_price(
        &self,
        caller: &Caller,
        command: &PlaceOrder,
    ) -> Result<PlacedOrder, Failure<PlaceRefused>> {
        until_written(|| async {
            let epoch = self.pricing.epoch_known().await?;
            let product = self.chosen(&command.selector).await?;
            let prices = self.pricing.prices_as_known(caller.account, &[product.id]).await?;
            let basis = PriceBasis { list: product.details.price, epoch };
            let order = self.order_for(caller, command, &product, &prices.rules(&product));
            // The customer may have seen a price that this instance has not read yet.
            if matches!(order, Err(PlaceRefused::PriceChanged { .. }))
                && self.pricing.has_changed_since(basis.epoch).await?
            {
                return Ok(Attempt::Conflict);
            }
            let mut order = order.map_err(Failure::Refused)?;
            if let Some(choice) = &command.vehicle {
                order = order.for_vehicle(self.judged(choice, product.id).await?);
            }
            let event = order.placed(EventId::new(self.ids.fresh()), caller.actor());
            let PlaceOrder { idempotency_key, holds_claim, .. } = *command;
            let new = NewOrder { order, event, basis, idempotency_key, holds_claim, reservations: self.reservations };
            match self.orders.place(&new).await {
                Ok(id) => Ok(Attempt::Done(PlacedOrder { id, is_repeat: id != new.order.id })),
                // The price changed between reading and writing: read it again, and compare the shown total again.
                Err(PlaceError::Refused(PlaceRefused::PriceChanged { .. })) => {
                    self.pricing.has_changed_since(basis.epoch).await?;
                    Ok(Attempt::Conflict)
                }
                Err(PlaceError::Refused(refused)) => Err(Failure::Refused(refused)),
                Err(PlaceError::Store(error)) => Err(error.into()),
            }
        })
        .await
    }

    async fn chosen(&self, selector: &ProductSelector) -> Result<Product, Failure<PlaceRefused>> {
        match selector {
            ProductSelector::ById(id) => self.products.find(*id).await?.ok_or(Failure::Refused(PlaceRefused::Gone)),
            ProductSelector::ByAttributes { name, category, img } => {
                let mut matching = self.products.matching(name, *category, img).await?;
                match (matching.pop(), matching.is_empty()) {
                    (Some(product), true) => Ok(product),
                    _ => Err(Failure::Refused(PlaceRefused::NotOneProduct)),
                }
            }
        }
    }

    /// What is said of a part and a vehicle now, to be kept with the order.
    async fn judged(
        &self,
        choice: &VehicleChoice,
        product: ProductId,
    ) -> Result<OrderedVehicle, Failure<PlaceRefused>> {
        let known = self.fitments.of_vehicle(&[product], choice.wanted.vehicle()).await?.remove(&product);
        let fit = Fit::of(known.ok_or(Failure::Refused(PlaceRefused::Gone))?, &choice.wanted);
        OrderedVehicle::of(choice, fit).map_err(Failure::Refused)
    }

    fn order_for(
        &self,
        caller: &Caller,
        command: &PlaceOrder,
        product: &Product,
        rules: &PriceRules,
    ) -> Result<Order, PlaceRefused> {
        let quantity = units(command.quantity, product)?;
        let unit = rules.unit(quantity.get());
        let contact = Contact {
            name: command.name.clone(),
            email: caller.email.clone(),
            phone: command.phone.clone(),
            address: command.address.clone(),
        };
        let id = OrderId::new(self.ids.fresh());
        let order = Order::place(id, caller.account, contact, product, quantity, unit, self.clock.now())?;
        let total = order.item.total;
        if total.differs_from(command.shown_total) {
            return Err(PlaceRefused::PriceChanged { unit, total });
        }
        Ok(order)
    }
}

/// The requested quantity. A number that is no valid quantity is refused with the reason that fits the product.
fn units(asked: i64, product: &Product) -> Result<Quantity, PlaceRefused> {
    Quantity::new(asked).map_err(|error| match error {
        QuantityError::BelowFloor if product.details.available.can_fill(product.details.min_order) => {
            TakeRefused::BelowMinimum { minimum: product.details.min_order.get() }.into()
        }
        QuantityError::BelowFloor | QuantityError::TooLarge => {
            TakeRefused::NotEnough { left: product.details.available }.into()
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::accounts::access::Denied;
    use domain::{OrderEventKind, PartFitments, Role, Stock, UnitPrice, VehicleNo, Verdict, WantedVehicle};
    use ports::{Fingerprint, KeyDigest, MockFitmentRepository, MockOrderRepository, MockProductRepository};

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, customers_order, orders_on, ports, product};

    const KEY: IdempotencyKey = IdempotencyKey { key: KeyDigest([1; 32]), fingerprint: Fingerprint([2; 32]) };

    fn with_stock(available: Stock) -> Product {
        let mut product = product();
        product.details.available = available;
        product
    }

    fn command(quantity: i64) -> PlaceOrder {
        PlaceOrder {
            selector: ProductSelector::ById(product().id),
            quantity,
            shown_total: None,
            name: Text::new("Nia").unwrap(),
            email: None,
            phone: Text::new("555 0100").unwrap(),
            address: Text::new("1 Workshop Lane").unwrap(),
            vehicle: None,
            idempotency_key: None,
            holds_claim: true,
        }
    }

    fn selling(product: Product) -> MockProductRepository {
        let mut products = MockProductRepository::new();
        products.expect_find().returning(move |_| Ok(Some(product.clone())));
        products
    }

    fn shop_selling(product: Product, orders: MockOrderRepository) -> Orders {
        orders_on(Ports { products: Arc::new(selling(product)), orders: Arc::new(orders), ..ports() })
    }

    #[tokio::test]
    async fn an_order_keeps_what_was_said_of_its_vehicle() {
        let choice = VehicleChoice {
            wanted: WantedVehicle::new(VehicleNo::new(7), Vec::new(), None).unwrap(),
            label: Text::new("2014 Toyota Camry").unwrap(),
            confirmed: Vec::new(),
        };
        let mut fitments = MockFitmentRepository::new();
        fitments.expect_of_vehicle().times(1).returning(|products, _| {
            let universal = PartFitments { universal: true, ..PartFitments::default() };
            Ok(products.iter().map(|id| (*id, universal.clone())).collect())
        });
        let mut orders = MockOrderRepository::new();
        orders
            .expect_place()
            .withf(|new| {
                let OrderEventKind::Ordered { item, .. } = &new.event.kind else { return false };
                let vehicle = item.vehicle.as_ref().unwrap();
                vehicle.verdict == Verdict::Universal && **item == new.order.item
            })
            .returning(|new| Ok(new.order.id));
        let ports = Ports {
            products: Arc::new(selling(product())),
            orders: Arc::new(orders),
            fitments: Arc::new(fitments),
            ..ports()
        };
        let command = PlaceOrder { vehicle: Some(choice), ..command(50) };
        orders_on(ports).place_order(&caller(Role::Customer), command).await.unwrap();
    }

    #[tokio::test]
    async fn an_order_is_placed_at_the_products_own_price_for_the_caller() {
        let mut orders = MockOrderRepository::new();
        orders
            .expect_place()
            .withf(|new| {
                new.order.item.total.cents() == 50 * 12_999
                    && new.order.contact.email == caller(Role::Customer).email
                    && new.event.order == new.order.id
            })
            .returning(|new| Ok(new.order.id));
        let placed = shop_selling(product(), orders).place_order(&caller(Role::Customer), command(50)).await;
        assert!(!placed.unwrap().is_repeat);
    }

    #[tokio::test]
    async fn an_order_for_another_account_is_refused_even_for_an_admin() {
        for role in [Role::Customer, Role::Admin] {
            let mut command = command(50);
            command.email = Some("other@example.com".into());
            let refused = orders_on(ports()).place_order(&caller(role), command).await;
            assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        }
    }

    #[tokio::test]
    async fn an_outdated_total_places_nothing_and_returns_the_current_one() {
        let mut command = command(50);
        command.shown_total = Some(6_000.0);
        let refused =
            shop_selling(product(), MockOrderRepository::new()).place_order(&caller(Role::Customer), command).await;
        let Err(Failure::Refused(PlaceRefused::PriceChanged { total, .. })) = refused else { panic!("{refused:?}") };
        assert_eq!(total.cents(), 649_950);
    }

    #[tokio::test]
    async fn a_price_that_changes_while_an_order_is_placed_is_read_again() {
        let mut orders = MockOrderRepository::new();
        orders
            .expect_place()
            .times(1)
            .returning(|_| Err(customers_order().item.price_changed(product().details.price).into()));
        orders.expect_place().times(1).returning(|new| Ok(new.order.id));
        let placed = shop_selling(product(), orders).place_order(&caller(Role::Customer), command(50)).await;
        assert!(placed.is_ok());
    }

    #[tokio::test]
    async fn invalid_quantities_are_each_refused_with_their_own_reason() {
        for (asked, below) in [(49, true), (0, true), (-5, true), (501, false), (i64::MAX, false)] {
            let refused = shop_selling(product(), MockOrderRepository::new())
                .place_order(&caller(Role::Customer), command(asked))
                .await;
            let is_below_minimum = match refused {
                Err(Failure::Refused(PlaceRefused::Stock(TakeRefused::BelowMinimum { minimum: 50 }))) => true,
                Err(Failure::Refused(PlaceRefused::Stock(TakeRefused::NotEnough { left }))) if left.get() == 500 => {
                    false
                }
                other => panic!("{asked}: {other:?}"),
            };
            assert_eq!(is_below_minimum, below, "{asked}");
        }
    }

    #[tokio::test]
    async fn a_product_below_its_own_minimum_cannot_be_ordered_at_all() {
        for asked in [10, 49, 50, 500] {
            let nearly_gone = with_stock(Stock::new(49).unwrap());
            let service = shop_selling(nearly_gone, MockOrderRepository::new());
            let refused = service.place_order(&caller(Role::Customer), command(asked)).await;
            assert!(
                matches!(refused, Err(Failure::Refused(PlaceRefused::Stock(TakeRefused::NotEnough { left }))) if left.get() == 49),
                "{asked}"
            );
        }
    }

    #[tokio::test]
    async fn a_product_selected_by_attributes_has_to_be_the_only_match() {
        for (found, expected) in [(0, false), (1, true), (2, false)] {
            let mut products = MockProductRepository::new();
            products.expect_matching().returning(move |_, _, _| Ok(vec![product(); found]));
            let mut orders = MockOrderRepository::new();
            orders.expect_place().returning(|new| Ok(new.order.id));
            let service = orders_on(Ports { products: Arc::new(products), orders: Arc::new(orders), ..ports() });
            let mut command = command(50);
            let looks = product();
            command.selector = ProductSelector::ByAttributes {
                name: looks.details.name.into_string(),
                category: looks.details.category,
                img: looks.details.img,
            };
            let placed = service.place_order(&caller(Role::Customer), command).await;
            assert_eq!(placed.is_ok(), expected, "{found} found: {placed:?}");
        }
    }

    #[tokio::test]
    async fn a_repeated_request_returns_its_first_order_whatever_happened_to_the_product() {
        let sold_out = with_stock(Stock::NONE);
        let mut dearer = product();
        dearer.details.price = UnitPrice::from_dollars(130.0).unwrap();
        let first = OrderId::new(uuid::Uuid::from_u128(7));
        for found in [Some(sold_out), Some(dearer), None] {
            let mut products = MockProductRepository::new();
            products.expect_find().returning(move |_| Ok(found.clone()));
            let mut orders = MockOrderRepository::new();
            orders
                .expect_placed_under()
                .withf(|customer, key| *customer == caller(Role::Customer).account && *key == KEY)
                .returning(move |_, _| Ok(Some(first)));
            let service = orders_on(Ports { products: Arc::new(products), orders: Arc::new(orders), ..ports() });
            let command = PlaceOrder { shown_total: Some(6_499.5), idempotency_key: Some(KEY), ..command(50) };
            assert_eq!(
                service.place_order(&caller(Role::Customer), command).await.unwrap(),
                PlacedOrder { id: first, is_repeat: true }
            );
        }
    }

    #[tokio::test]
    async fn a_first_request_with_a_key_is_refused_for_its_own_reason() {
        let mut orders = MockOrderRepository::new();
        orders.expect_placed_under().returning(|_, _| Ok(None));
        let command = PlaceOrder { idempotency_key: Some(KEY), ..command(501) };
        let refused = shop_selling(product(), orders).place_order(&caller(Role::Customer), command).await;
        assert!(
            matches!(refused, Err(Failure::Refused(PlaceRefused::Stock(TakeRefused::NotEnough { left }))) if left.get() == 500)
        );
    }
}
