//! The enumerations of the API. Its description lists their values, so that a client's types can know them.

use std::borrow::Cow;

use domain::notifications::delivery::{Channel, DeliveryState, Topic};
use domain::{Category, ExemptionKind, Position, ReturnReason, Role, RowStatus, TaxClass, Verdict};
use ports::ProviderKind;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, value};
use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Declares a wire name whose values are those of a domain enum, in the description too.
macro_rules! name {
    ($(#[$doc:meta])* $name:ident($of:ty) as $schema:literal, $description:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $name(pub(crate) $of);

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.0.as_str())
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                one_of($description, <$of>::ALL.map(<$of>::as_str))
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                $schema.into()
            }
        }
    };
}

name! {
    /// A category, by its name.
    CategoryName(Category) as "Category", "One of the shop's eight categories."
}
name! {
    /// Where a part belongs.
    PositionName(Position) as "Position", "Where on the vehicle the part belongs."
}
name! {
    /// Whether a part fits.
    VerdictName(Verdict) as "FitVerdict", "`universal` fits every vehicle, `yes` this one; `if` under a condition; `ask` depends on the engine; `no` does not fit; of `unknown` nobody says what it fits."
}
name! {
    /// How a line stands.
    RowStatusName(RowStatus) as "RowStatus", "`ok` can be ordered as it is; `replaced` is another product, sold in its place; of `choose` several products have the number; `adjusted` is another quantity; of `short` too few are in stock; `unknown` cannot be read, or is no part of the shop's; `moved`, of carts alone, costs another price than was shown."
}
name! {
    /// How a product is taxed.
    TaxClassName(TaxClass) as "TaxClass", "How a product is taxed: with the rate of the place where it goes, or not at all."
}
name! {
    /// Why an account is exempt from tax.
    ExemptionKindName(ExemptionKind) as "ExemptionKind", "Why an account pays no tax."
}
name! {
    /// A role, by its name.
    RoleName(Role) as "Role", "What an account may do."
}
name! {
    /// A payment provider, by its name.
    ProviderName(ProviderKind) as "PaymentProvider", "The payment provider."
}
name! {
    /// The channel of a delivery.
    ChannelName(Channel) as "DeliveryChannel", "How it is delivered."
}
name! {
    /// The topic of a delivery.
    TopicName(Topic) as "DeliveryTopic", "What it is about."
}
name! {
    /// The state of a delivery.
    StateName(DeliveryState) as "DeliveryState", "Whether it has been delivered."
}
name! {
    /// Why units are sent back.
    ReasonName(ReturnReason) as "ReturnReason", "Why units are sent back."
}

fn one_of(description: &str, names: impl IntoIterator<Item = &'static str>) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).description(Some(description)).enum_values(Some(names)).into()
}

/// Parses a parameter's text as a value of an enumeration.
pub(crate) fn variant<T: DeserializeOwned>(text: &str) -> Option<T> {
    T::deserialize(StrDeserializer::<value::Error>::new(text)).ok()
}
