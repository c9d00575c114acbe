//! The enumerations of the wire: words that the API's description lists, so that a client's types can know them.

use std::borrow::Cow;

use domain::{Category, Role};
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, value};
use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// A category, by its name. The words are the domain's, in the description too.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CategoryName(pub(crate) Category);

/// A role, by its name. The words are the domain's, in the description too.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoleName(pub(crate) Role);

impl Serialize for CategoryName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl PartialSchema for CategoryName {
    fn schema() -> RefOr<Schema> {
        one_of("One of the shop's eight categories.", Category::ALL.map(Category::as_str))
    }
}

impl ToSchema for CategoryName {
    fn name() -> Cow<'static, str> {
        "Category".into()
    }
}

impl Serialize for RoleName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl PartialSchema for RoleName {
    fn schema() -> RefOr<Schema> {
        one_of("What an account may do.", Role::ALL.map(Role::as_str))
    }
}

impl ToSchema for RoleName {
    fn name() -> Cow<'static, str> {
        "Role".into()
    }
}

fn one_of(description: &str, words: impl IntoIterator<Item = &'static str>) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).description(Some(description)).enum_values(Some(words)).into()
}

/// The enumeration's value that a parameter's word stands for.
pub(crate) fn word<T: DeserializeOwned>(text: &str) -> Option<T> {
    T::deserialize(StrDeserializer::<value::Error>::new(text)).ok()
}
