//! What a feed is, how far it has come, and when it may be applied.

use std::str::FromStr;

use thiserror::Error;

/// What a feed changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FeedKind {
    /// Products with all of their columns.
    Products,
    /// Units in stock.
    Stock,
    /// Unit prices.
    Prices,
    /// The other numbers of products.
    Numbers,
    /// The vehicles that products fit.
    Fitment,
}

/// A name that no kind, mode or state of a feed has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("is not known")]
pub struct UnknownName;

impl FeedKind {
    /// Every kind, in the order of the screens.
    pub const ALL: [Self; 5] = [Self::Products, Self::Stock, Self::Prices, Self::Numbers, Self::Fitment];

    /// The name, in the database and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Products => "products",
            Self::Stock => "stock",
            Self::Prices => "prices",
            Self::Numbers => "numbers",
            Self::Fitment => "fitment",
        }
    }

    /// Whether a feed of this kind can say what there is, so that what it leaves out is gone.
    #[must_use]
    pub const fn can_replace(self) -> bool {
        matches!(self, Self::Products | Self::Numbers | Self::Fitment)
    }
}

impl FromStr for FeedKind {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let name = name.strip_suffix("-csv").unwrap_or(name);
        Self::ALL.into_iter().find(|kind| kind.as_str() == name).ok_or(UnknownName)
    }
}

/// What a feed does with rows that match nothing, and with what no row matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FeedMode {
    /// Changes what is there; a row that matches nothing is a finding.
    Update,
    /// Changes what is there and adds the rest.
    Upsert,
    /// As [`Self::Upsert`], and what a brand of the file has beside it goes.
    Replace,
}

impl FeedMode {
    /// Every mode.
    pub const ALL: [Self; 3] = [Self::Update, Self::Upsert, Self::Replace];

    /// The name, in the database and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Update => "update",
            Self::Upsert => "upsert",
            Self::Replace => "replace",
        }
    }
}

impl FromStr for FeedMode {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == name).ok_or(UnknownName)
    }
}

/// How far a feed has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FeedState {
    /// Its file is here, and nobody has read it.
    Waiting,
    /// It is being checked.
    Reading,
    /// What it would do is known.
    Checked,
    /// It is being applied.
    Applying,
    /// It is applied.
    Applied,
    /// It cannot be read or applied. Nothing was changed, except by brands that were applied before.
    Failed,
    /// Somebody called it off, or nobody applied it in time.
    Cancelled,
}

impl FeedState {
    /// Every state.
    pub const ALL: [Self; 7] =
        [Self::Waiting, Self::Reading, Self::Checked, Self::Applying, Self::Applied, Self::Failed, Self::Cancelled];

    /// The name, in the database and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Reading => "reading",
            Self::Checked => "checked",
            Self::Applying => "applying",
            Self::Applied => "applied",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

impl FromStr for FeedState {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|state| state.as_str() == name).ok_or(UnknownName)
    }
}

/// What a feed does, in rows; archived are products, numbers or vehicles of parts that no row has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FeedCounts {
    /// Rows of the file.
    pub rows: u64,
    /// Rows that add something.
    pub added: u64,
    /// Rows that change something.
    pub changed: u64,
    /// Rows that say what is so already.
    pub same: u64,
    /// Rows that cannot be applied.
    pub refused: u64,
    /// What goes because no row has it.
    pub archived: u64,
}

/// What somebody agrees to who has a feed applied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FeedConsent {
    /// That rows which cannot be applied are left out.
    pub partial: bool,
    /// How many go because no row has them.
    pub confirm_archived: Option<u64>,
}

/// Why a feed is not applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ApplyRefused {
    /// There is no such feed.
    #[error("no such feed")]
    Unknown,
    /// It is not checked, or applied already.
    #[error("it is {}", .state.as_str())]
    NotChecked {
        /// How far it has come.
        state: FeedState,
    },
    /// Rows cannot be applied, and nobody agreed to leave them out.
    #[error("{rows} rows are refused")]
    RowsRefused {
        /// How many.
        rows: u64,
    },
    /// Much of a brand would be archived, and nobody agreed to this number.
    #[error("{archived} would be archived")]
    ArchivesMuch {
        /// How many.
        archived: u64,
    },
}

impl FeedCounts {
    /// Whether a checked feed may be applied. `archives_much` says that more of a brand would go than happens unasked.
    ///
    /// # Errors
    /// [`ApplyRefused`].
    pub fn may_apply(&self, archives_much: bool, consent: FeedConsent) -> Result<(), ApplyRefused> {
        if self.refused > 0 && !consent.partial {
            return Err(ApplyRefused::RowsRefused { rows: self.refused });
        }
        if archives_much && consent.confirm_archived != Some(self.archived) {
            return Err(ApplyRefused::ArchivesMuch { archived: self.archived });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_round_trips_and_a_kind_may_say_that_it_is_csv() {
        for kind in FeedKind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(kind));
            assert_eq!(format!("{}-csv", kind.as_str()).parse(), Ok(kind));
        }
        for mode in FeedMode::ALL {
            assert_eq!(mode.as_str().parse(), Ok(mode));
        }
        for state in FeedState::ALL {
            assert_eq!(state.as_str().parse(), Ok(state));
        }
        assert_eq!("Stock".parse::<FeedKind>(), Err(UnknownName));
    }

    #[test]
    fn what_a_feed_of_stock_or_of_prices_leaves_out_is_not_gone() {
        let replacing: Vec<FeedKind> = FeedKind::ALL.into_iter().filter(|kind| kind.can_replace()).collect();
        assert_eq!(replacing, [FeedKind::Products, FeedKind::Numbers, FeedKind::Fitment]);
    }

    #[test]
    fn refused_rows_and_much_that_goes_need_consent_to_their_numbers() {
        let counts = FeedCounts { refused: 2, archived: 7, ..FeedCounts::default() };
        let consent = |partial, confirm_archived| FeedConsent { partial, confirm_archived };
        assert_eq!(counts.may_apply(false, consent(false, None)), Err(ApplyRefused::RowsRefused { rows: 2 }));
        assert_eq!(counts.may_apply(false, consent(true, None)), Ok(()));
        for wrong in [None, Some(6), Some(8)] {
            let refused = Err(ApplyRefused::ArchivesMuch { archived: 7 });
            assert_eq!(counts.may_apply(true, consent(true, wrong)), refused);
        }
        assert_eq!(counts.may_apply(true, consent(true, Some(7))), Ok(()));
        let none_refused = FeedCounts { refused: 0, ..counts };
        assert_eq!(none_refused.may_apply(false, consent(false, None)), Ok(()));
    }
}
