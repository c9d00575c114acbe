//! What clients read when a use case of feeds refuses.

use application::UploadRefused;
use domain::{ApplyRefused, FeedState};

use crate::problem::Problem;

impl From<UploadRefused> for Problem {
    fn from(refused: UploadRefused) -> Self {
        match refused {
            UploadRefused::TooLarge { most } => Self::too_large(usize::try_from(most).unwrap_or(usize::MAX)),
            UploadRefused::Empty => Self::invalid_field("file", "The file is empty"),
            UploadRefused::NotText(why) => Self::unsupported_media(why),
            UploadRefused::CannotReplace => {
                Self::invalid_field("mode", "Only feeds of products, numbers and fitment can replace what is there")
            }
        }
    }
}

impl From<ApplyRefused> for Problem {
    fn from(refused: ApplyRefused) -> Self {
        let conflict = |message: String| Self::conflict("feed-not-applied", "Feed not applied", message);
        match refused {
            ApplyRefused::Unknown => Self::not_found(),
            ApplyRefused::NotChecked { state } => conflict(
                match state {
                    FeedState::Waiting | FeedState::Reading => "This feed is still being checked.",
                    FeedState::Checked => "This feed is checked.",
                    FeedState::Applying => "This feed is being applied.",
                    FeedState::Applied => "This feed was applied before.",
                    FeedState::Failed => "This feed failed. Send the file again.",
                    FeedState::Cancelled => "This feed was canceled. Send the file again.",
                }
                .to_owned(),
            )
            .with("state", state.as_str()),
            ApplyRefused::RowsRefused { rows } => {
                let rows_are = if rows == 1 { "1 row is".to_owned() } else { format!("{rows} rows are") };
                conflict(format!("{rows_are} refused. Correct the file, or apply the others only (partial)."))
                    .with("refused", rows)
            }
            ApplyRefused::ArchivesMuch { archived } => conflict(format!(
                "This would archive {archived}, which is much of a brand. Confirm that number (confirmArchived)."
            ))
            .with("archived", archived),
        }
    }
}
