//! What clients read when a use case of the catalog refuses.

use std::time::Duration;

use actix_web::http::StatusCode;
use application::WriteReviewRefused;
use domain::{CorrectStockRefused, EditRefused, PartRefused, RestockRefused};
use ports::{EntryRefused, ImageRefused, ProviderError, error_chain};

use super::products::attributes::ProductView;
use crate::problem::Problem;
use crate::wire::money::Dollars;

/// How long clients should wait when the image host accepts no more pictures; the host does not say.
const IMAGE_LIMIT_WAIT: Duration = Duration::from_mins(5);

impl From<WriteReviewRefused> for Problem {
    fn from(refused: WriteReviewRefused) -> Self {
        match refused {
            WriteReviewRefused::UnknownProduct => {
                Self::invalid_field("productId", "This part is no longer for sale. Choose another, or none.")
            }
            WriteReviewRefused::TooSoon { wait } => {
                let message =
                    "You can write one review a day until you've paid for an order. Please come back tomorrow.";
                Self::new(StatusCode::TOO_MANY_REQUESTS, "one-review-a-day", "One review a day", message)
                    .retry_after(wait)
            }
        }
    }
}

impl From<RestockRefused> for Problem {
    fn from(refused: RestockRefused) -> Self {
        match refused {
            RestockRefused::Unknown => Self::not_found(),
            RestockRefused::PriceChanged { now } => {
                let message =
                    format!("Someone else changed the price; it's {} now. Review it and save again.", now.money());
                Self::conflict("price-changed", "Price changed", message).with("price", Dollars(now.money()).to_json())
            }
            RestockRefused::TooMuch => Self::invalid_field("updatedQuantity", "Enter 1,000,000,000 or less"),
        }
    }
}

impl From<EditRefused> for Problem {
    fn from(refused: EditRefused) -> Self {
        match refused {
            EditRefused::Unknown => Self::not_found(),
            EditRefused::Part(refused) => refused.into(),
            EditRefused::Changed { now } => match serde_json::to_value(ProductView::from(*now)) {
                Ok(product) => {
                    let message = "Someone else changed this product. Review it and save again.";
                    Self::conflict("product-changed", "Product changed", message).with("product", product)
                }
                Err(error) => Self::defect(&error),
            },
        }
    }
}

impl From<PartRefused> for Problem {
    fn from(refused: PartRefused) -> Self {
        match refused {
            PartRefused::NumberTaken { brand } => {
                let message =
                    format!("{brand} already has a part with this number. It may be archived: bring it back.");
                Self::conflict("number-taken", "Number taken", message)
            }
            PartRefused::UnknownPartType => Self::invalid_field(
                "partType",
                "We don't know this part type. Choose one from the list, or add it first.",
            ),
            PartRefused::OtherKind { name, kind } => {
                Self::invalid_field("attributes", format!("{name} is {kind} for every other part. Use another name."))
            }
            PartRefused::ChainTooLong => Self::invalid_field(
                "numbers",
                "A part can't replace itself, and at most eight parts can replace one another in a row.",
            ),
        }
    }
}

impl From<EntryRefused> for Problem {
    fn from(refused: EntryRefused) -> Self {
        match refused {
            EntryRefused::Unknown => Self::not_found(),
            EntryRefused::NameTaken => {
                Self::conflict("name-taken", "Name taken", "There is one with this name already.")
            }
            EntryRefused::InUse(uses) => {
                let message = format!("{uses} parts still use it. Change those first.");
                Self::conflict("in-use", "In use", message).with("uses", uses)
            }
            EntryRefused::Itself => Self::invalid_field("means", "A word can't be its own synonym."),
        }
    }
}

impl From<CorrectStockRefused> for Problem {
    fn from(refused: CorrectStockRefused) -> Self {
        match refused {
            CorrectStockRefused::Unknown => Self::not_found(),
            CorrectStockRefused::NotEnough { left } => {
                let message = format!("Only {} in stock; you can't remove more than that.", left.get());
                Self::conflict("out-of-stock", "Not enough in stock", message).with("available", left.get())
            }
            CorrectStockRefused::TooMuch => Self::invalid_field("delta", "The new stock would be over 1,000,000,000"),
        }
    }
}

impl From<ImageRefused> for Problem {
    fn from(refused: ImageRefused) -> Self {
        match refused {
            ImageRefused::NotAPicture => Self::unsupported_media(refused.to_string()),
            ImageRefused::TooLarge | ImageRefused::TooManyPixels => {
                Self::new(StatusCode::PAYLOAD_TOO_LARGE, "payload-too-large", "Too large", refused.to_string())
            }
            ImageRefused::NotTaken(_) => {
                tracing::warn!(cause = error_chain(&refused), "the image host refused a picture");
                Self::invalid_field("image", refused.to_string())
            }
            ImageRefused::LimitReached(_) => {
                tracing::warn!(cause = error_chain(&refused), "the image host takes no more pictures");
                let status = StatusCode::SERVICE_UNAVAILABLE;
                Self::new(status, "image-host-limit", "Image host's limit reached", refused.to_string())
                    .retry_after(IMAGE_LIMIT_WAIT)
            }
            ImageRefused::KeyRefused(_) => {
                tracing::error!(cause = error_chain(&refused), "the image host refuses the shop's key");
                let status = StatusCode::BAD_GATEWAY;
                Self::new(status, "image-host-key", "Image host's key refused", refused.to_string())
            }
            ImageRefused::Provider(error) => {
                let message = match &error {
                    ProviderError::Unavailable(_) => "We couldn't store the picture. Please try again in a moment.",
                    ProviderError::InvalidResponse(_) => "The image host isn't responding correctly. Please try again.",
                };
                Self::from(error).saying(message)
            }
        }
    }
}
