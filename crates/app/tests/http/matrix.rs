//! The permissions of every role: the table, and a test of every cell.

use std::time::Duration;

use serde_json::{Value, json};

use crate::fixtures::{PASSWORD, User, admin, draft, eventually, product, some_order, unique};
use crate::pictures::{multipart, png};
use crate::server::{Call, call, get, post, run};

/// Any status from 200 to 299.
const YES: u16 = 2;

/// The id of the 2014 Toyota Camry.
const CAMRY: i32 = 390_258;

/// One line of the table. `own` and `others` are the statuses for the caller's own resource and for another user's.
/// They are the same if the call names no user's resource.
pub(crate) struct Line {
    pub(crate) method: &'static str,
    /// With `{product}`, `{order}`, `{number}`, `{delivery}` (also for whatever else has small ids), `{endpoint}`, `{garage}`, `{address}`, `{checkout}`, `{list}`, `{session}`, `{review}`, `{vin}` or `{email}` as placeholders.
    pub(crate) path: &'static str,
    pub(crate) visitor: u16,
    customer: ByOwner,
    admin: ByOwner,
}

struct ByOwner {
    own: u16,
    others: u16,
}

const fn both(status: u16) -> ByOwner {
    ByOwner { own: status, others: status }
}

const fn by_owner(own: u16, others: u16) -> ByOwner {
    ByOwner { own, others }
}

const fn line(method: &'static str, path: &'static str, visitor: u16, customer: ByOwner, admin: ByOwner) -> Line {
    Line { method, path, visitor, customer, admin }
}

/// The only place in this suite that states the permissions.
pub(crate) const TABLE: &[Line] = &[
    line("GET", "/products", YES, both(YES), both(YES)),
    line("GET", "/products/{product}", YES, both(YES), both(YES)),
    line("GET", "/reviews", YES, both(YES), both(YES)),
    line("GET", "/products/{product}/reviews", YES, both(YES), both(YES)),
    line("GET", "/products/facets", YES, both(YES), both(YES)),
    line("GET", "/products/{product}/numbers", YES, both(YES), both(YES)),
    line("PUT", "/products/{product}/numbers", 401, both(403), both(YES)),
    line("PUT", "/products/{product}/tiers", 401, both(403), both(YES)),
    line("POST", "/prices", 401, both(YES), both(YES)),
    // One line alone is a plain order.
    line("POST", "/checkouts", 401, by_owner(YES, 403), by_owner(YES, 403)),
    line("POST", "/checkouts/check", 401, both(YES), both(YES)),
    line("GET", "/checkouts?email={email}", 401, by_owner(YES, 403), both(YES)),
    line("GET", "/allCheckouts", 401, both(403), both(YES)),
    line("GET", "/allCheckouts.csv", 401, both(403), both(YES)),
    line("GET", "/allCheckouts/packing-slips.pdf?ids={checkout}", 401, both(403), both(YES)),
    line("GET", "/checkouts/{checkout}", 401, by_owner(YES, 404), both(YES)),
    // A permitted caller gets 409: this payment is not the checkout's.
    line("PATCH", "/checkouts/{checkout}", 401, by_owner(409, 404), by_owner(409, 404)),
    line("DELETE", "/checkouts/{checkout}", 401, by_owner(YES, 404), both(YES)),
    // A permitted caller gets 409: its freight is known.
    line("PUT", "/checkouts/{checkout}/shipping", 401, both(403), both(409)),
    line("GET", "/price-lists", 401, both(403), both(YES)),
    line("POST", "/price-lists", 401, both(403), both(YES)),
    // A permitted caller gets 404: there is no list 0.
    line("PUT", "/price-lists/{delivery}", 401, both(403), both(404)),
    line("DELETE", "/price-lists/{delivery}", 401, both(403), both(YES)),
    line("GET", "/price-lists/{delivery}/prices", 401, both(403), both(404)),
    line("PUT", "/price-lists/{delivery}/prices", 401, both(403), both(404)),
    line("GET", "/price-lists/{delivery}/accounts", 401, both(403), both(404)),
    line("PUT", "/price-lists/{delivery}/accounts", 401, both(403), both(404)),
    // A permitted caller gets 404: an order is no invoice and no checkout.
    line("GET", "/invoices", 401, both(YES), both(YES)),
    line("GET", "/invoices?email={email}", 401, by_owner(YES, 403), both(YES)),
    line("GET", "/invoices/{order}", 401, both(404), both(404)),
    line("GET", "/invoices/{order}.pdf", 401, both(404), both(404)),
    line("GET", "/invoices/{order}.xml", 401, both(404), both(404)),
    line("GET", "/orders/{order}/packing-slip.pdf", 401, by_owner(YES, 404), both(YES)),
    line("GET", "/orders/{order}/confirmation.pdf", 401, by_owner(YES, 404), both(YES)),
    line("GET", "/checkouts/{order}/packing-slip.pdf", 401, both(404), both(404)),
    line("GET", "/checkouts/{order}/confirmation.pdf", 401, both(404), both(404)),
    line("GET", "/seller", 401, both(403), both(YES)),
    line("PUT", "/seller", 401, both(403), both(YES)),
    line("PUT", "/products/{product}/images", 401, both(403), both(YES)),
    line("GET", "/products/{product}/fit?vehicle=390258", YES, both(YES), both(YES)),
    line("GET", "/products/{product}/vehicles", YES, both(YES), both(YES)),
    line("GET", "/products/{product}/fitments", 401, both(403), both(YES)),
    line("PUT", "/products/{product}/fitments", 401, both(403), both(YES)),
    line("GET", "/fitments/coverage", 401, both(403), both(YES)),
    line("GET", "/numbers/{number}", YES, both(YES), both(YES)),
    line("GET", "/brands", YES, both(YES), both(YES)),
    line("POST", "/brands", 401, both(403), both(YES)),
    line("PUT", "/brands/{delivery}", 401, both(403), both(404)),
    line("DELETE", "/brands/{delivery}", 401, both(403), both(404)),
    line("GET", "/part-types", YES, both(YES), both(YES)),
    line("POST", "/part-types", 401, both(403), both(YES)),
    line("PUT", "/part-types/{delivery}", 401, both(403), both(404)),
    line("DELETE", "/part-types/{delivery}", 401, both(403), both(404)),
    line("GET", "/synonyms", 401, both(403), both(YES)),
    line("POST", "/synonyms", 401, both(403), both(YES)),
    line("PUT", "/synonyms/{delivery}", 401, both(403), both(404)),
    line("DELETE", "/synonyms/{delivery}", 401, both(403), both(404)),
    line("GET", "/shipping-methods", 401, both(403), both(YES)),
    line("POST", "/shipping-methods", 401, both(403), both(YES)),
    line("GET", "/shipping-methods/unweighed", 401, both(403), both(YES)),
    line("PUT", "/shipping-methods/{delivery}", 401, both(403), both(404)),
    line("DELETE", "/shipping-methods/{delivery}", 401, both(403), both(404)),
    line("GET", "/tax-rates", 401, both(403), both(YES)),
    line("POST", "/tax-rates", 401, both(403), both(YES)),
    line("POST", "/tax-rates/import?dryRun=true", 401, both(403), both(YES)),
    line("GET", "/tax-rates/samples/eu.csv", YES, both(YES), both(YES)),
    line("PUT", "/tax-rates/{review}", 401, both(403), both(404)),
    line("DELETE", "/tax-rates/{review}", 401, both(403), both(404)),
    line("GET", "/exemptions", 401, both(403), both(YES)),
    line("POST", "/exemptions", 401, both(403), both(YES)),
    line("DELETE", "/exemptions/{review}", 401, both(403), both(404)),
    line("GET", "/vehicles?q=camry", YES, both(YES), both(YES)),
    line("GET", "/vehicles/years", YES, both(YES), both(YES)),
    line("GET", "/vehicles/makes?year=2014", YES, both(YES), both(YES)),
    line("GET", "/vehicles/models?year=2014&make=1", YES, both(YES), both(YES)),
    line("GET", "/vehicles/engines?vehicle=390258", YES, both(YES), both(YES)),
    line("GET", "/vin/{vin}", YES, both(YES), both(YES)),
    line("POST", "/products", 401, both(403), both(YES)),
    line("PUT", "/products/{product}", 401, both(403), both(YES)),
    line("PATCH", "/products/{product}", 401, both(403), both(YES)),
    line("DELETE", "/products/{product}", 401, both(403), both(YES)),
    line("POST", "/products/{product}/restore", 401, both(403), both(YES)),
    line("GET", "/archivedProducts", 401, both(403), both(YES)),
    line("POST", "/products/{product}/stock-corrections", 401, both(403), both(YES)),
    line("GET", "/products/{product}/stock-history", 401, both(403), both(YES)),
    line("POST", "/images", 401, both(403), both(YES)),
    line("POST", "/reviews", 401, both(YES), both(YES)),
    line("GET", "/reviews/hidden", 401, both(403), both(YES)),
    line("DELETE", "/reviews/{review}", 401, both(403), both(YES)),
    line("POST", "/reviews/{review}/restore", 401, both(403), both(YES)),
    line("PUT", "/user/{email}", 401, by_owner(YES, 403), by_owner(YES, 403)),
    line("GET", "/auth/verification", 401, both(YES), both(YES)),
    line("POST", "/auth/verification", 401, both(YES), both(YES)),
    line("GET", "/auth/sessions", 401, both(YES), both(YES)),
    line("DELETE", "/auth/sessions", 401, both(YES), both(YES)),
    line("POST", "/auth/me/photo", 401, both(YES), both(YES)),
    line("GET", "/auth/second-factor", 401, both(YES), both(YES)),
    line("GET", "/auth/sign-in-methods", 401, both(YES), both(YES)),
    line("POST", "/auth/google/link", 401, both(YES), both(YES)),
    line("DELETE", "/auth/google/link", 401, both(YES), both(YES)),
    line("GET", "/auth/me", 401, both(YES), both(YES)),
    line("PATCH", "/auth/me", 401, both(YES), both(YES)),
    line("POST", "/auth/password/change", 401, both(YES), both(YES)),
    line("DELETE", "/auth/sessions/{session}", 401, by_owner(YES, 404), by_owner(YES, 404)),
    // A customer who has not confirmed their address gets 409.
    line("POST", "/auth/second-factor/app", 401, both(409), both(YES)),
    line("POST", "/auth/second-factor/passkeys/options", 401, both(409), both(YES)),
    // A permitted caller gets 409 or 422: there is nothing that this would finish, prove, or remove.
    line("PUT", "/auth/second-factor/app", 401, both(409), both(409)),
    line("DELETE", "/auth/second-factor/app", 401, both(YES), both(YES)),
    line("POST", "/auth/second-factor/passkeys", 401, both(422), both(422)),
    line("DELETE", "/auth/second-factor/passkeys/{review}", 401, both(YES), both(YES)),
    line("POST", "/auth/second-factor/proof", 401, both(409), both(409)),
    line("POST", "/auth/second-factor/proof/passkey", 401, both(422), both(422)),
    line("POST", "/auth/second-factor/proof/passkey/options", 401, both(409), both(409)),
    line("POST", "/auth/second-factor/recovery-codes", 401, both(409), both(409)),
    line("GET", "/user", 401, both(403), both(YES)),
    line("GET", "/user/{email}", 401, both(403), both(YES)),
    line("GET", "/user/{email}/notes", 401, both(403), both(YES)),
    line("POST", "/user/{email}/notes", 401, both(403), both(YES)),
    line("GET", "/orders/{order}/notes", 401, both(403), both(YES)),
    line("POST", "/orders/{order}/notes", 401, both(403), both(YES)),
    line("DELETE", "/notes/{review}", 401, both(403), both(YES)),
    line("GET", "/allOrders", 401, both(403), both(YES)),
    line("GET", "/allOrders.csv", 401, both(403), both(YES)),
    line("GET", "/overview", 401, both(403), both(YES)),
    line("GET", "/overview/top", 401, both(403), both(YES)),
    line("GET", "/overview/sales.csv", 401, both(403), both(YES)),
    line("GET", "/overview/payments", 401, both(403), both(YES)),
    line("GET", "/orderCounts", 401, both(403), both(YES)),
    line("GET", "/feeds", 401, both(403), both(YES)),
    line("GET", "/feeds/{delivery}", 401, both(403), both(404)),
    line("GET", "/feeds/{delivery}/findings.csv", 401, both(403), both(404)),
    line("GET", "/feeds/samples/stock.csv", YES, both(YES), both(YES)),
    line("POST", "/feeds?kind=stock&dryRun=true", 401, both(403), both(YES)),
    line("POST", "/feeds/{delivery}/apply", 401, both(403), both(404)),
    line("DELETE", "/feeds/{delivery}", 401, both(403), both(404)),
    line("GET", "/products.csv", 401, both(403), both(YES)),
    line("POST", "/products.csv?dryRun=true", 401, both(403), both(YES)),
    line("PUT", "/user/admin/{email}", 401, both(403), both(YES)),
    line("DELETE", "/user/admin/{email}", 401, both(403), both(YES)),
    line("DELETE", "/user/{email}", 401, both(403), by_owner(409, YES)),
    line("GET", "/admin/{email}", 401, by_owner(YES, 403), both(YES)),
    line("GET", "/orders/{order}/shipments", 401, by_owner(YES, 404), both(YES)),
    line("POST", "/orders/{order}/shipments", 401, both(403), both(YES)),
    line("GET", "/countries", YES, both(YES), both(YES)),
    line("GET", "/addresses", 401, both(YES), both(YES)),
    line("GET", "/user/{email}/addresses", 401, both(403), both(YES)),
    line("POST", "/addresses", 401, both(YES), both(YES)),
    line("PUT", "/addresses/{address}", 401, by_owner(YES, 404), by_owner(YES, 404)),
    line("DELETE", "/addresses/{address}", 401, by_owner(YES, 404), by_owner(YES, 404)),
    line("GET", "/garage", 401, both(YES), both(YES)),
    line("POST", "/garage", 401, both(YES), both(YES)),
    line("POST", "/garage/merge", 401, both(YES), both(YES)),
    line("PUT", "/garage/{garage}", 401, by_owner(YES, 404), by_owner(YES, 404)),
    line("DELETE", "/garage/{garage}", 401, by_owner(YES, 404), by_owner(YES, 404)),
    line("POST", "/quick-order/check", 401, both(YES), both(YES)),
    line("GET", "/cart", 401, both(YES), both(YES)),
    // A permitted caller gets 428: the version is missing.
    line("PUT", "/cart", 401, both(428), both(428)),
    line("POST", "/cart/merge", 401, both(YES), both(YES)),
    line("GET", "/lists", 401, both(YES), both(YES)),
    line("POST", "/lists", 401, both(YES), both(YES)),
    line("GET", "/lists/{list}", 401, by_owner(YES, 404), by_owner(YES, 404)),
    line("PUT", "/lists/{list}", 401, by_owner(YES, 404), by_owner(YES, 404)),
    line("POST", "/lists/{list}/check", 401, by_owner(YES, 404), by_owner(YES, 404)),
    line("DELETE", "/lists/{list}", 401, by_owner(YES, 404), by_owner(YES, 404)),
    // A permitted caller gets 404.
    line("POST", "/checkouts/{review}/reorder", 401, both(404), both(404)),
    line("POST", "/orders/{order}/reorder", 401, by_owner(YES, 404), by_owner(YES, 404)),
    line("POST", "/orders", 401, by_owner(YES, 403), by_owner(YES, 403)),
    line("GET", "/orders?email={email}", 401, by_owner(YES, 403), both(YES)),
    line("GET", "/orders/{order}", 401, by_owner(YES, 404), both(YES)),
    line("GET", "/orders/{order}/events", 401, by_owner(YES, 404), both(YES)),
    // A permitted caller gets 409: this payment is not the order's.
    line("PATCH", "/orders/{order}", 401, by_owner(409, 404), by_owner(409, 404)),
    line("POST", "/create-payment-intent", 401, by_owner(YES, 404), by_owner(YES, 404)),
    line("DELETE", "/orders/{order}", 401, by_owner(YES, 404), both(YES)),
    line("PUT", "/orders/status/{order}", 401, both(403), both(YES)),
    // A permitted caller gets 409: an unpaid order has nothing to refund.
    line("POST", "/orders/{order}/refund", 401, both(403), both(409)),
    line("GET", "/orders/{order}/returns", 401, by_owner(YES, 404), both(YES)),
    // The owner gets 409: the order has not shipped.
    line("POST", "/orders/{order}/returns", 401, by_owner(409, 404), by_owner(409, 404)),
    // A permitted caller gets 404.
    line("POST", "/returns/{review}/accept", 401, both(403), both(404)),
    line("POST", "/returns/{review}/decline", 401, both(403), both(404)),
    line("GET", "/attention", 401, both(403), both(YES)),
    // A permitted caller gets an error: it does not exist, or is in another state.
    line("POST", "/attention/refunds/{delivery}/retry", 401, both(403), both(404)),
    line("POST", "/attention/refunds/{order}/bank-transfer", 401, both(403), both(422)),
    line("POST", "/attention/refunds/{order}/acknowledge", 401, both(403), both(409)),
    line("POST", "/attention/disputes/{order}/acknowledge", 401, both(403), both(409)),
    line("POST", "/attention/payments/{order}/send-back", 401, both(403), both(404)),
    line("GET", "/audit?limit=5", 401, both(403), both(YES)),
    line("GET", "/audit.csv?kind=none", 401, both(403), both(YES)),
    line("GET", "/audit/head", 401, both(403), both(YES)),
    line("GET", "/outbox", 401, both(403), both(YES)),
    // A permitted caller gets 404.
    line("POST", "/outbox/{delivery}/retry", 401, both(403), both(404)),
    line("POST", "/outbox/retry?endpoint={endpoint}", 401, both(403), both(404)),
    line("GET", "/webhook-endpoints", 401, both(403), both(YES)),
    // A permitted caller gets an error: a field is missing, or it does not exist.
    line("POST", "/webhook-endpoints", 401, both(403), both(422)),
    line("GET", "/webhook-endpoints/{endpoint}/deliveries", 401, both(403), both(404)),
    line("DELETE", "/webhook-endpoints/{endpoint}", 401, both(403), both(YES)),
    line("GET", "/info?email={email}", 401, by_owner(YES, 403), by_owner(YES, 403)),
    line("POST", "/info?email={email}", 401, by_owner(YES, 403), by_owner(YES, 403)),
    line("PUT", "/info?email={email}", 401, by_owner(YES, 403), by_owner(YES, 403)),
];

/// The resources that a call names.
pub(crate) struct Resources {
    owner: User,
    order: String,
    product: String,
    /// A vehicle in the owner's garage.
    garage: String,
    checkout: String,
    /// A list of the owner's.
    list: String,
    /// An address in the owner's address book.
    address: String,
    /// The session that the owner has.
    session: String,
}

fn an_address() -> Value {
    json!({"name": "Some Body", "line1": "1 Workshop Lane", "city": "Berlin", "postcode": "10115", "country": "DE"})
}

impl Resources {
    pub(crate) async fn of(owner: User) -> Self {
        let order = some_order(&owner).await;
        let kept = owner.send(post("/garage", &json!({"vehicle": CAMRY}))).await.is(201).json();
        let garage = kept["_id"].as_str().unwrap().to_owned();
        let checkout = crate::checkouts::placed(&owner).await;
        let kept = owner.send(post("/lists", &json!({"name": "Mine"}))).await.is(201).json();
        let list = kept["insertedId"].as_str().unwrap().to_owned();
        let kept = owner.send(post("/addresses", &an_address())).await.is(201).json();
        let address = kept["_id"].as_str().unwrap().to_owned();
        let sessions = get("/auth/sessions").session(&owner.session).await.is(200).json();
        let session = sessions[0]["_id"].as_str().unwrap().to_owned();
        Self { owner, order, product: product(500, 3.0).await, garage, checkout, list, address, session }
    }
}

impl Line {
    pub(crate) fn is_public(&self) -> bool {
        self.visitor == YES
    }

    pub(crate) fn uses_session(&self) -> bool {
        self.method == "PUT" && self.path == "/user/{email}" || self.path.starts_with("/auth/")
    }

    /// The call, complete except for its caller.
    pub(crate) fn call(&self, resources: &Resources) -> Call {
        let path = self
            .path
            .replace("{product}", &resources.product)
            .replace("{vin}", "1HGCM82633A004352")
            .replace("{order}", &resources.order)
            .replace("{address}", &resources.address)
            .replace("{garage}", &resources.garage)
            .replace("{checkout}", &resources.checkout)
            .replace("{list}", &resources.list)
            .replace("{session}", &resources.session)
            // Delivery ids begin at 1.
            .replace("{delivery}", "0")
            .replace("{number}", "A1")
            .replace("{endpoint}", "0199f3a0-0000-7000-8000-000000000000")
            .replace("{review}", "0199f3a0-0000-7000-8000-000000000001")
            .replace("{email}", &resources.owner.email);
        let call = call(self.method, path);
        if let ("POST", "/images" | "/auth/me/photo") = (self.method, self.path) {
            let (media_type, body) = multipart("image", "part.png", "image/png", &png(8, 8));
            return call.body(&media_type, body);
        }
        if self.path.starts_with("/products.csv") && self.method == "POST" {
            return call.body("text/csv", "name,description,category,price,availableQty,img\n");
        }
        if self.path.starts_with("/feeds?") {
            return call.body("text/csv", "brand,part_number,availableQty\n");
        }
        if self.path.starts_with("/tax-rates/import") {
            return call.body("text/csv", "country,name,basis_points,valid_from\n");
        }
        match self.payload(resources) {
            Some(payload) => call.json(&payload),
            None => call,
        }
    }

    #[expect(clippy::too_many_lines, reason = "a line for each call")]
    fn payload(&self, resources: &Resources) -> Option<Value> {
        Some(match (self.method, self.path) {
            ("POST", "/products") => draft(100, 4.0),
            ("PUT", "/products/{product}/numbers") => json!({"numbers": []}),
            ("PUT", "/products/{product}/tiers") => json!({"tiers": []}),
            ("POST", "/prices") => json!({"items": [{"productId": resources.product, "quantity": 50}]}),
            ("POST" | "PUT", "/price-lists" | "/price-lists/{delivery}") => {
                json!({"name": format!("List {}", unique())})
            }
            ("PUT", "/price-lists/{delivery}/prices") => json!({"items": []}),
            ("PUT", "/price-lists/{delivery}/accounts") => json!({"emails": []}),
            ("PUT", "/products/{product}/images") => json!({"images": ["/images/a.webp"]}),
            ("PUT", "/products/{product}/fitments") => json!({"fitments": []}),
            ("POST" | "PUT", "/brands" | "/brands/{delivery}") => json!({"name": "A brand"}),
            ("PUT", "/seller") => json!({"name": "Driveline", "line1": "1200 Foundry Street", "city": "Dayton",
                "region": "OH", "postcode": "45402", "country": "US", "email": "billing@driveline.example"}),
            ("POST" | "PUT", "/part-types" | "/part-types/{delivery}") => {
                json!({"name": format!("Type {}", unique()), "category": "BRAKES"})
            }
            ("POST" | "PUT", "/synonyms" | "/synonyms/{delivery}") => json!({"word": "stopper", "means": "brake"}),
            ("PUT", "/products/{product}") => json!({"updatedQuantity": 1, "updatedPrice": 3}),
            ("PATCH", "/products/{product}") => json!({"name": "Another name"}),
            ("POST", "/products/{product}/stock-corrections") => json!({"delta": -1, "reason": "breakage"}),
            ("POST", "/reviews") => json!({"name": "Some Body", "rating": 5, "details": "Sturdy."}),
            ("POST", "/orders/{order}/notes" | "/user/{email}/notes") => json!({"text": "Called twice."}),
            ("POST", "/orders/{order}/returns") => json!({"reason": "damaged", "units": 1}),
            ("POST", "/returns/{review}/accept") => json!({"restock": false}),
            ("POST", "/returns/{review}/decline") => json!({"answer": "They were used."}),
            // Nobody lives there, so that no other test meets it.
            ("POST" | "PUT", "/shipping-methods" | "/shipping-methods/{delivery}") => json!({
                "name": format!("Method {}", unique()), "countries": ["AQ"], "bands": [{"upToGrams": 1, "price": 1}],
            }),
            ("POST" | "PUT", "/tax-rates" | "/tax-rates/{review}") => json!({
                "country": "AQ", "region": format!("Region {}", unique()), "name": "VAT", "basisPoints": 1,
                "validFrom": "2000-01-01", "validUntil": "2000-01-31",
            }),
            ("POST", "/exemptions") => json!({
                "email": resources.owner.email, "kind": "resale", "country": "AQ", "number": "1",
            }),
            ("POST", "/orders/{order}/shipments") => json!({"quantity": 1, "carrier": "UPS"}),
            ("POST" | "PUT", "/addresses" | "/addresses/{address}") => an_address(),
            ("POST", "/garage") => json!({"vehicle": CAMRY, "vin": "1HGCM82633A004352"}),
            ("POST", "/garage/merge") => json!({"vehicles": [{"vehicle": CAMRY}]}),
            ("PUT", "/garage/{garage}") => json!({"name": "Old one"}),
            ("POST", "/quick-order/check") => json!({"text": "A1 50"}),
            ("PUT", "/cart") | ("POST", "/cart/merge") => json!({"lines": []}),
            ("POST" | "PUT", "/lists" | "/lists/{list}") => json!({"name": "Weekly"}),
            ("POST", "/orders") => json!({
                "productId": resources.product, "email": resources.owner.email, "quantity": 50, "name": "Some Body",
                "phone": "1", "address": "2",
            }),
            ("POST", "/checkouts" | "/checkouts/check") => {
                let mut sent = crate::checkouts::body(&[(&resources.product, 50)]);
                sent["contact"]["email"] = json!(resources.owner.email);
                sent
            }
            ("PUT", "/checkouts/{checkout}/shipping") => json!({"price": 10}),
            ("PATCH", "/auth/me") => json!({"displayName": "Ad Min"}),
            ("POST", "/auth/password/change") => {
                json!({"currentPassword": PASSWORD, "newPassword": "a longer walk home"})
            }
            ("PUT" | "POST", "/auth/second-factor/app" | "/auth/second-factor/proof") => json!({"code": "123456"}),
            ("PATCH", _) => {
                json!({"payment": {"product": resources.order, "transactionId": "pi_nobody", "status": "succeeded"}})
            }
            (
                "POST",
                "/webhook-endpoints"
                | "/attention/refunds/{order}/bank-transfer"
                | "/auth/second-factor/passkeys"
                | "/auth/second-factor/proof/passkey",
            ) => json!({}),
            ("POST", "/create-payment-intent") => json!({"orderId": resources.order, "price": 125}),
            ("POST" | "PUT", "/info?email={email}") => {
                json!({"livesIn": "Springfield", "updatedLivesIn": "Springfield"})
            }
            _ => return None,
        })
    }

    async fn check(&self, call: Call, who: &str, expected: u16) {
        let answer = call.await;
        let as_expected = if expected == YES { answer.is_success() } else { answer.status == expected };
        assert!(as_expected, "a {who} should get {expected}: {answer}");
        // Whoever may read a VIN, no cache may keep it, nor what a product costs somebody.
        let is_personal = self.path == "/products/{product}" && who != "visitor";
        if self.is_public() && !self.path.starts_with("/vin/") && !is_personal {
            assert!(answer.header("cache-control").contains("public"), "{answer}");
            assert_ne!(answer.header("etag"), "", "{answer}");
        } else {
            assert!(answer.header("cache-control").contains("no-store"), "a {who}: {answer}");
        }
    }

    fn made_by(&self, caller: &User, resources: &Resources) -> Call {
        let call = self.call(resources);
        if self.uses_session() { call.session(&caller.session) } else { caller.send(call) }
    }
}

async fn check_column(who: &str, column: impl Fn(&Line) -> u16, caller: impl AsyncFn() -> User, own: bool) {
    for line in TABLE {
        // New resources for every cell, because some calls delete them.
        let caller = caller().await;
        let resources = Resources::of(if own { caller.clone() } else { User::new().await }).await;
        line.check(line.made_by(&caller, &resources), who, column(line)).await;
    }
}

#[test]
fn a_visitor_has_the_permissions_of_the_table() {
    run(async {
        let resources = Resources::of(User::new().await).await;
        for line in TABLE {
            line.check(line.call(&resources), "visitor", line.visitor).await;
        }
    });
}

#[test]
fn a_customer_has_the_tables_permissions_for_their_own_resources() {
    run(check_column("customer, own", |line| line.customer.own, User::new, true));
}

#[test]
fn a_customer_has_the_tables_permissions_for_anothers_resources() {
    run(check_column("customer, another's", |line| line.customer.others, User::new, false));
}

#[test]
fn an_admin_has_the_tables_permissions_for_their_own_resources() {
    run(check_column("admin, own", |line| line.admin.own, User::new_admin, true));
}

#[test]
fn an_admin_has_the_tables_permissions_for_anothers_resources() {
    run(check_column("admin, another's", |line| line.admin.others, User::new_admin, false));
}

/// A path without the names of its parameters and without a query.
fn shape(path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    let part = |part: &str| match (part.find('{'), part.find('}')) {
        (Some(from), Some(to)) => format!("{}{{}}{}", &part[..from], &part[to + 1..]),
        _ => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

#[test]
fn every_route_for_which_somebody_has_to_sign_in_is_in_the_table() {
    run(async {
        let described = call("GET", "/openapi.json").await.is(200).json();
        let mut missing = Vec::new();
        for (path, methods) in described["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let method = method.to_uppercase();
                let is_there = TABLE.iter().any(|line| line.method == method && shape(line.path) == shape(path));
                if operation["security"].is_array() && !is_there {
                    missing.push(format!("{method} {path}"));
                }
            }
        }
        assert_eq!(missing, Vec::<String>::new());
    });
}

/// Every call that somebody has to sign in for, made with the token or the session cookie of before. A call from which
/// nothing is expected is left out.
async fn check_after(who: &str, ended: impl AsyncFn(&User), expected: impl Fn(&Line) -> Option<u16>) {
    let user = User::new_admin().await;
    let resources = Resources::of(user.clone()).await;
    ended(&user).await;
    for line in TABLE.iter().filter(|line| !line.is_public()) {
        let Some(wanted) = expected(line) else { continue };
        let answer = line.made_by(&user, &resources).await;
        let as_expected =
            if wanted == YES { answer.status != 401 && answer.status != 403 } else { answer.status == wanted };
        assert!(as_expected, "a {who} should get {wanted}: {answer}");
    }
}

#[test]
fn an_admin_who_logged_out_may_do_nothing_any_more() {
    let log_out = async |user: &User| {
        call("POST", "/auth/logout").session(&user.session).await.is(204);
    };
    run(check_after("admin who logged out", log_out, |_| Some(401)));
}

#[test]
fn an_admin_who_was_removed_may_do_nothing_any_more() {
    let remove = async |user: &User| {
        admin().await.send(call("DELETE", format!("/user/{}", user.email))).await.is(200);
        eventually(Duration::from_secs(1), async || user.send(call("GET", "/orders")).await.status == 401).await;
    };
    run(check_after("admin who was removed", remove, |_| Some(401)));
}

#[test]
fn an_admin_who_was_demoted_may_do_with_the_old_token_what_a_customer_may() {
    let demote = async |user: &User| {
        admin().await.send(call("DELETE", format!("/user/admin/{}", user.email))).await.is(200);
        eventually(Duration::from_secs(1), async || user.send(call("GET", "/user")).await.status == 403).await;
    };
    let expected = |line: &Line| {
        if line.uses_session() {
            // The session lives on. Some of these calls end it, and the token with it.
            None
        } else if line.customer.own == 403 {
            Some(403)
        } else {
            // Some calls take away what later ones name, so what a customer may do is only not refused.
            Some(YES)
        }
    };
    run(check_after("admin who was demoted", demote, expected));
}

#[test]
fn a_refusal_has_the_wording_of_the_screens() {
    run(async {
        let (customer, other) = (User::new().await, User::new().await);
        let refused = customer.send(call("PUT", format!("/user/admin/{}", other.email))).await.refused(403);
        assert_eq!(refused["message"], "You are not authorized to do this");
        assert_eq!(refused["type"], "/problems/forbidden");
        let refused = call("GET", "/user").await.refused(401);
        assert_eq!(refused["type"], "/problems/unauthenticated");
    });
}

#[test]
fn a_session_cookie_authorizes_no_call_that_takes_a_token() {
    run(async {
        let admin = User::new_admin().await;
        let resources = Resources::of(admin.clone()).await;
        for line in TABLE.iter().filter(|line| !line.is_public() && !line.uses_session()) {
            line.call(&resources).session(&admin.session).await.is(401);
        }
    });
}

#[test]
fn a_token_authorizes_no_call_that_takes_the_session_cookie() {
    run(async {
        let admin = User::new_admin().await;
        let resources = Resources::of(admin.clone()).await;
        for line in TABLE.iter().filter(|line| line.uses_session()) {
            admin.send(line.call(&resources)).await.is(401);
        }
    });
}
