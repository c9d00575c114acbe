//! Seeds the demo's accounts, products and reviews.
//!
//! Every account, product and review has a fixed key, so that an interrupted start can simply be repeated: what is
//! there stays as it is, even if it has been changed or archived, and what is missing is added. So a product of an older
//! demo keeps the picture that it was given then; the shop goes on serving those files.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use application::Ports;
use domain::{
    Account, AccountId, Actor, Category, Email, EmailTaken, MinOrder, Money, Password, PictureUrl, Product,
    ProductDetails, ProductId, Rating, Review, ReviewId, ReviewedPart, Role, Stock, Text, Timestamp, UnitPrice,
};
use ports::{
    EntryRefused, Fingerprint, IdempotencyKey, KeyDigest, NewAccount, NewPart, NewProduct, NewReview, WriteError,
    error_chain,
};
use uuid::Uuid;

use super::catalogue::{REVIEWS, Unsound, Voice};
use super::range::{self, Part};
use crate::startup_error::StartupError;

/// The demo's admin.
pub(super) const ADMIN: &str = "admin@example.com";
/// The demo's customer.
pub(super) const CUSTOMER: &str = "customer@example.com";
/// The password of both.
pub(super) const PASSWORD: &str = "demo-password";

/// The time between two products.
const BETWEEN_PRODUCTS: Duration = Duration::from_hours(7);
/// The time between two reviews.
const BETWEEN_REVIEWS: Duration = Duration::from_hours(31);

/// The parts of which there are pictures from other sides; see `assets/views.py`.
const TURNED: [&str; 3] = ["parts/turbo-20-diesel", "parts/brake-disc-312", "parts/alloy-17"];
const VIEWS: [&str; 3] = ["right", "back", "left"];

/// What has been seeded.
pub(super) struct Seeded {
    /// When the demo was opened first.
    pub(super) opened: Timestamp,
    /// All parts, newest first.
    pub(super) range: Vec<Part>,
    /// The products by part number.
    pub(super) products: BTreeMap<&'static str, ProductId>,
}

/// Makes sure that the demo's accounts, products and reviews have been added once.
pub(super) async fn seed(ports: &Ports) -> Result<Seeded, StartupError> {
    // Everything else is dated by the first account, so that an interrupted start keeps the order of the products.
    let (_, opened) = account(ports, ADMIN, "Alex Admin", Role::Admin).await?;
    let (customer, _) = account(ports, CUSTOMER, "Chris Customer", Role::Customer).await?;
    let range = range::parts().map_err(unsound("the range"))?;
    let reviewed = add(ports, &range, opened).await?;
    for (voice, age) in REVIEWS.iter().zip(1..) {
        let part = voice.part_number.and_then(|number| reviewed.get(number).cloned());
        let written = earlier(opened, BETWEEN_REVIEWS, age);
        let review = review(ports.ids.fresh(), voice, part, written).map_err(unsound(voice.name))?;
        let idempotency_key = Some(once_key("review", voice.name));
        let new = NewReview { review, by: customer, idempotency_key, one_since: None };
        ports.reviews.add(&new).await.map_err(failed)?;
    }
    let products = reviewed.into_iter().map(|(number, part)| (number, part.id)).collect();
    Ok(Seeded { opened, range, products })
}

/// Adds the parts that are not there yet, all together, and returns all of them by part number.
async fn add(
    ports: &Ports,
    range: &[Part],
    opened: Timestamp,
) -> Result<BTreeMap<&'static str, ReviewedPart>, StartupError> {
    let bulb = Text::new("Headlamp bulb").map_err(unsound("the part types"))?;
    match ports.parts.add_part_type(&bulb, Category::ReplacementParts).await {
        // It is there after the first start.
        Ok(_) | Err(WriteError::Refused(EntryRefused::NameTaken)) => {}
        Err(WriteError::Refused(refused)) => {
            return Err(StartupError::internal(format!("cannot add a part type: {refused:?}")));
        }
        Err(WriteError::Store(error)) => return Err(failed(error)),
    }
    // The list begins with the newest part.
    let new = range.iter().zip(1..).map(|(part, age)| {
        let number = part.item.part_number;
        let product =
            product(ports.ids.fresh(), part, earlier(opened, BETWEEN_PRODUCTS, age)).map_err(unsound(number))?;
        let new = NewProduct { product, by: Actor::Shop, idempotency_key: Some(once_key("product", number)) };
        Ok(NewPart { new, numbers: part.numbers.clone() })
    });
    let new: Vec<NewPart> = new.collect::<Result<_, StartupError>>()?;
    // Some at a time, so that a slow machine needs no more time for a call than it has; those that are there stay.
    let mut ids = Vec::with_capacity(new.len());
    for some in new.chunks(10) {
        ids.extend(ports.products.add_parts(some).await.map_err(failed)?);
    }
    let reviewed = new.into_iter().zip(ids).zip(range).map(|((NewPart { new, .. }, id), part)| {
        (part.item.part_number, ReviewedPart { id, ..ReviewedPart::from(new.product) })
    });
    Ok(reviewed.collect())
}

/// The account of an address and when it was created; it is created now if there is none. An existing one keeps its
/// role, name and password, and a removed one stays removed.
pub(super) async fn account(
    ports: &Ports,
    email: &str,
    name: &str,
    role: Role,
) -> Result<(AccountId, Timestamp), StartupError> {
    let address: Email = email.parse().map_err(unsound(email))?;
    if let Some(found) = ports.accounts.by_email(&address).await.map_err(failed)? {
        return Ok((found.account.id, found.account.created_at));
    }
    let password = Password::choose(PASSWORD).map_err(unsound(email))?;
    let created_at = ports.clock.now();
    let account = Account {
        id: AccountId::new(ports.ids.fresh()),
        email: address,
        display_name: Text::new(name).map_err(unsound(email))?,
        photo_url: None,
        role,
        created_at,
        // The address is made up, so it cannot be confirmed by e-mail.
        email_verified_at: Some(created_at),
        proved_at: Some(created_at),
    };
    let made = (account.id, created_at);
    let password = Some(ports.passwords.hash(&password, Ipv4Addr::LOCALHOST.into()).await.map_err(failed)?);
    match ports.accounts.add(&NewAccount { account, password }).await {
        Ok(()) => Ok(made),
        Err(WriteError::Refused(EmailTaken)) => {
            Err(StartupError::internal(format!("another client is signing up as {email} right now")))
        }
        Err(WriteError::Store(error)) => Err(failed(error)),
    }
}

fn product(id: Uuid, Part { item, facts, .. }: &Part, created_at: Timestamp) -> Result<Product, Unsound> {
    let details = ProductDetails::new(
        Text::new(item.name)?,
        Text::new(item.description)?,
        item.category,
        picture(item.picture)?,
        UnitPrice::new(Money::from_cents(item.cents)?)?,
        MinOrder::effective(item.min_order)?,
        Stock::new(item.available)?,
    );
    let part_number = Some(Text::new(item.part_number)?);
    let further_pictures = further(item.picture)?;
    let details = ProductDetails { part_number, further_pictures, facts: facts.clone(), ..details };
    Ok(Product { id: ProductId::new(id), details, created_at })
}

fn review(id: Uuid, voice: &Voice, part: Option<ReviewedPart>, created_at: Timestamp) -> Result<Review, Unsound> {
    Ok(Review {
        id: ReviewId::new(id),
        name: Text::new(voice.name)?,
        author: None,
        part,
        // None of them has an account that could have bought anything.
        is_verified: false,
        details: Text::new(voice.details)?,
        rating: Rating::new(voice.rating)?,
        created_at,
    })
}

/// The widest file of a picture; a browser finds the narrower ones by its name.
fn picture(name: &str) -> Result<PictureUrl, Unsound> {
    Ok(format!("/pictures/{name}.webp").parse()?)
}

/// Of a part that was rendered all around: its other sides.
fn further(name: &str) -> Result<Vec<PictureUrl>, Unsound> {
    match name.rsplit_once('-') {
        Some((part, _)) if TURNED.contains(&part) => {
            VIEWS.iter().map(|view| picture(&format!("{part}-{view}-480"))).collect()
        }
        _ => Ok(Vec::new()),
    }
}

/// A key for a line of the catalogue, made of its own text. It cannot collide with a client's key: those are hashes.
pub(super) fn once_key(kind: &str, name: &str) -> IdempotencyKey {
    let mut key = [0; 32];
    for (slot, byte) in key.iter_mut().zip(format!("{kind} {name}").bytes()) {
        *slot = byte;
    }
    // The fingerprint does not depend on the content, so that an edited line is not a mismatch.
    IdempotencyKey { key: KeyDigest(key), fingerprint: Fingerprint(key) }
}

pub(super) fn earlier(moment: Timestamp, step: Duration, steps: u32) -> Timestamp {
    moment.checked_sub(step * steps).unwrap_or(Timestamp::MIN)
}

pub(super) fn failed(error: impl std::error::Error) -> StartupError {
    StartupError::internal(format!("cannot seed the demo: {}", error_chain(&error)))
}

pub(super) fn unsound<E: std::fmt::Display>(line: &str) -> impl FnOnce(E) -> StartupError {
    let line = line.to_owned();
    move |error| StartupError::internal(format!("the demo's catalogue is unsound at {line}: {error}"))
}

#[cfg(test)]
mod tests;
