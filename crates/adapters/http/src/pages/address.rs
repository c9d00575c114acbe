//! The addresses of pages.

use domain::catalog::slug::slug;
use domain::{Category, PictureUrl, ProductId};

use crate::app_state::Settings;

/// Where the page of a part is.
pub(crate) fn part(slug: &str) -> String {
    format!("/parts/{slug}")
}

/// The screen on which a part is ordered.
pub(crate) fn purchase(id: ProductId) -> String {
    format!("/product/{id}")
}

/// Where the landing page of a category is.
pub(crate) fn category(category: Category) -> String {
    format!("/shop/{}", category_slug(category))
}

pub(crate) fn category_slug(category: Category) -> String {
    slug(category.as_str())
}

/// Where the landing page of a vehicle is: of a make, of a model if one is named, of a year of it if one is.
pub(crate) fn vehicle(make: &str, model: Option<&str>, year: Option<i16>) -> String {
    let mut path = format!("/vehicles/{}", slug(make));
    for part in [model.map(slug), year.map(|year| year.to_string())].into_iter().flatten() {
        path = format!("{path}/{part}");
    }
    path
}

/// A category, as readers see it.
pub(crate) const fn category_label(category: Category) -> &'static str {
    match category {
        Category::Brakes => "Brake Parts",
        Category::ReplacementParts => "Replacement Parts",
        Category::SafetyAccessories => "Safety Accessories",
        Category::Tires => "Tires",
        Category::SteeringWheel => "Steering Wheel",
        Category::ServiceKits => "Service Kits",
        Category::Batteries => "Batteries",
        Category::OilsAndFluids => "Oils and Fluids",
    }
}

impl Settings {
    /// A path of this shop with its scheme and host: those that are configured, whatever a request calls the shop.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.public_url)
    }

    /// A picture's address with its scheme and host.
    pub(crate) fn picture(&self, img: &PictureUrl) -> String {
        if img.as_str().starts_with('/') { self.address(img.as_str()) } else { img.to_string() }
    }

    /// What the shop calls itself.
    pub(crate) fn shop_name(&self) -> &str {
        self.contact.name.as_deref().unwrap_or("Driveline")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_category_has_an_address_of_its_own() {
        assert_eq!(category(Category::OilsAndFluids), "/shop/oils-and-fluids");
        let mut slugs: Vec<String> = Category::ALL.into_iter().map(category_slug).collect();
        slugs.sort();
        slugs.dedup();
        assert_eq!(slugs.len(), Category::ALL.len());
    }
}
