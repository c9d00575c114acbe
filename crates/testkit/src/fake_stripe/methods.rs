//! Payment methods: cards, as typed into a browser.

use std::time::Duration;

use serde_json::{Value, json};

use super::account::Account;
use super::cards::Card;
use super::form::Form;
use super::parameters::only;
use super::refusal::Refusal;

#[derive(Debug, Clone)]
pub(super) struct Method {
    pub(super) id: String,
    pub(super) card: Card,
    billing: Value,
    created: u64,
}

impl Method {
    pub(super) fn render(&self) -> Value {
        json!({
            "id": self.id,
            "object": "payment_method",
            "allow_redisplay": "unspecified",
            "billing_details": self.billing,
            "card": {
                "brand": self.card.brand(),
                "checks": {"address_line1_check": null, "address_postal_code_check": null, "cvc_check": "unchecked"},
                "country": "US",
                "display_brand": self.card.brand(),
                "exp_month": self.card.exp_month,
                "exp_year": self.card.exp_year,
                "funding": "credit",
                "generated_from": null,
                "last4": self.card.last4(),
                "networks": {"available": [self.card.brand()], "preferred": null},
                "regulated_status": "unregulated",
                "three_d_secure_usage": {"supported": true},
                "wallet": null,
            },
            "created": self.created,
            "customer": null,
            "customer_account": null,
            "livemode": false,
            "metadata": {},
            "type": "card",
        })
    }

    pub(super) fn billing(&self) -> &Value {
        &self.billing
    }
}

impl Account {
    pub(super) fn create_method(&mut self, form: &Form, now: Duration) -> Result<Value, Refusal> {
        only(form, &["billing_details", "card", "expand", "type"])?;
        let id = self.type_card(form, now)?;
        self.rendered_method(&id)
    }

    pub(super) fn retrieve_method(&self, id: &str, form: &Form) -> Result<Value, Refusal> {
        only(form, &["expand"])?;
        self.rendered_method(id)
    }

    fn rendered_method(&self, id: &str) -> Result<Value, Refusal> {
        let found = self.methods.iter().find(|method| method.id == id);
        found.map(Method::render).ok_or_else(|| no_such(id))
    }

    /// Stores a card as typed, and returns its id.
    pub(super) fn type_card(&mut self, form: &Form, now: Duration) -> Result<String, Refusal> {
        match form.text("type") {
            Some("card") => {}
            Some(other) => {
                return Err(
                    Refusal::invalid(format!("Invalid type: {other}. This account only takes card.")).about("type")
                );
            }
            None => return Err(Refusal::missing("type")),
        }
        let typed = form.parts("card").ok_or_else(|| Refusal::missing("card"))?;
        only(typed, &["cvc", "exp_month", "exp_year", "number"])?;
        let need = |name: &str| typed.text(name).ok_or_else(|| Refusal::missing(&format!("card[{name}]")));
        let card =
            Card::typed(need("number")?, need("exp_month")?, need("exp_year")?, typed.text("cvc"), month_of(now))?;
        let id = self.id("pm");
        self.methods.push(Method { id: id.clone(), card, billing: billing(form)?, created: now.as_secs() });
        Ok(id)
    }

    /// A payment method that was created here, or a copy of a predefined one.
    pub(super) fn known_method(&mut self, id: &str, now: Duration) -> Result<String, Refusal> {
        if self.card_of(id).is_some() {
            return Ok(id.to_owned());
        }
        let card = Card::ready_made(id, month_of(now).0).ok_or_else(|| no_such(id))?;
        let copy = self.id("pm");
        let billing = billing(&Form::default())?;
        self.methods.push(Method { id: copy.clone(), card, billing, created: now.as_secs() });
        Ok(copy)
    }
}

fn no_such(id: &str) -> Refusal {
    Refusal::no_such("PaymentMethod", id, "payment_method")
}

fn billing(form: &Form) -> Result<Value, Refusal> {
    let empty = Form::default();
    let billing = form.parts("billing_details").unwrap_or(&empty);
    only(billing, &["address", "email", "name", "phone"])?;
    let address = billing.parts("address").unwrap_or(&empty);
    only(address, &["city", "country", "line1", "line2", "postal_code", "state"])?;
    let place = |name: &str| address.text(name);
    Ok(json!({
        "address": {
            "city": place("city"),
            "country": place("country"),
            "line1": place("line1"),
            "line2": place("line2"),
            "postal_code": place("postal_code"),
            "state": place("state"),
        },
        "email": billing.text("email"),
        "name": billing.text("name"),
        "phone": billing.text("phone"),
        "tax_id": null,
    }))
}

/// The year and the month (1 to 12) of a time, in UTC.
fn month_of(now: Duration) -> (u32, u32) {
    let mut days = now.as_secs() / 86_400;
    let mut year = 1970;
    let leap = |year: u32| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calendar_knows_leap_years() {
        let month = |seconds| month_of(Duration::from_secs(seconds));
        assert_eq!(month(0), (1970, 1));
        assert_eq!(month(951_782_400), (2000, 2), "29 February 2000");
        assert_eq!(month(951_868_800), (2000, 3), "1 March 2000");
        assert_eq!(month(1_795_219_199), (2026, 11), "20 November 2026");
        assert_eq!(month(1_798_761_599), (2026, 12), "the last second of 2026");
        assert_eq!(month(1_798_761_600), (2027, 1), "the first of 2027");
    }
}
