//! Which products fit a vehicle, as conditions on `products`. What they say is what [`domain::Fit::of`] says, which a test
//! compares.

use domain::fold;
use ports::{FitFilter, FitsAtLeast, ProductQuery};

use crate::platform::condition::Condition;

/// The products that fit everything, and those of which a fitment says something.
const FITTING: &str = "products.no IN (SELECT product_no FROM (SELECT product_no FROM universal_products";
const OR_FITTING: &str = " UNION ALL SELECT product_no FROM fitments WHERE ";

/// Or Postgres may look up the vehicle for one product after the other, through all products of the shop, where the
/// vehicle's own are read by the key at once.
const READ_ONCE: &str = ") AS fitting OFFSET 0)";

/// The products that fit the vehicle of a query.
pub(super) struct Fitting<'a> {
    filter: &'a FitFilter,
    /// If only some part types are wanted, fitments of others need not be read.
    part_types: &'a [String],
}

impl<'a> Fitting<'a> {
    /// `None` if the query is for no vehicle.
    pub(super) fn of(query: &'a ProductQuery, with_part_types: bool) -> Option<Self> {
        let part_types = if with_part_types { query.part_types.as_slice() } else { &[] };
        Some(Self { filter: query.fit.as_ref()?, part_types })
    }

    pub(super) fn at_least(&self) -> FitsAtLeast {
        self.filter.at_least
    }

    /// Only those that the query lists.
    pub(super) fn is_listed(&self) -> Condition {
        match self.filter.at_least {
            FitsAtLeast::Surely => self.fits_surely(),
            FitsAtLeast::Perhaps => self.fits_perhaps(),
            FitsAtLeast::Unknown => {
                let unknown = "NOT EXISTS (SELECT FROM fitments AS of_any WHERE of_any.product_no = products.no)";
                Condition::any([self.fits_perhaps(), Condition::new().sql(unknown)])
            }
        }
    }

    /// How far down a product comes, as [`ports::ProductCursor::rank`]; `None` if all come at once.
    pub(super) fn rank(&self) -> Option<Condition> {
        let rank = Condition::new().sql("CASE WHEN ").then(self.fits_surely()).sql(" THEN 0");
        match self.filter.at_least {
            FitsAtLeast::Surely => None,
            FitsAtLeast::Perhaps => Some(rank.sql(" ELSE 1 END")),
            FitsAtLeast::Unknown => Some(rank.sql(" WHEN ").then(self.fits_perhaps()).sql(" THEN 1 ELSE 2 END")),
        }
    }

    /// What is said of the vehicle, and of its engine if that is known.
    fn of_vehicle(&self) -> Condition {
        let wanted = &self.filter.wanted;
        let mut rows = vec![Condition::new().sql("fitments.vehicle_id = ").integer(wanted.vehicle().get())];
        if !self.part_types.is_empty() {
            rows.push(Condition::new().sql("fitments.part_type_id IN (").then(part_type_ids(self.part_types)).sql(")"));
        }
        if let Some(engine) = wanted.engine() {
            rows.push(with_engine(vec![0, engine.get()]));
        }
        Condition::all(rows)
    }

    /// A statement that reads where products belong on the vehicle, a bit for each position.
    fn placed(&self) -> Condition {
        Condition::new()
            .sql("SELECT product_no, bit_or(1 << position) AS positions FROM fitments WHERE position > 0 AND ")
            .then(self.of_vehicle())
            .sql(" GROUP BY product_no")
    }

    /// Of the products that fit everything, only those of the wanted part types need be looked at: a large shop has thousands.
    fn fitting(&self) -> Condition {
        let universal = Condition::new().sql(FITTING);
        let universal = if self.part_types.is_empty() {
            universal
        } else {
            let of_types = " JOIN product_search USING (product_no) WHERE product_search.part_type_id IN (";
            universal.sql(of_types).then(part_type_ids(self.part_types)).sql(")")
        };
        universal.sql(OR_FITTING).then(self.of_vehicle())
    }

    fn fits_perhaps(&self) -> Condition {
        self.fitting().sql(READ_ONCE)
    }

    /// A statement that reads all that is said of the vehicle at once: the products that fit it surely or perhaps, whether they do
    /// surely, and where they belong.
    pub(super) fn said(&self) -> Condition {
        let surely = match (self.filter.wanted.engine(), self.engines()) {
            (Some(_), _) => Condition::new().sql("bool_or(condition_id = 0)"),
            (None, engines) if engines.is_empty() => {
                Condition::new().sql("bool_or(condition_id = 0 AND engine_id = 0)")
            }
            (None, engines) => {
                let count = i64::try_from(engines.len()).unwrap_or(i64::MAX);
                Condition::new()
                    .sql("bool_or(condition_id = 0 AND engine_id = 0) OR count(DISTINCT engine_id) FILTER (WHERE condition_id = 0 AND ")
                    .then(with_engine(engines))
                    .sql(") = ")
                    .long(count)
            }
        };
        Condition::new()
            .sql(
                "SELECT product_no, bool_or(surely) AS surely, bit_or(positions) AS positions FROM (\
                SELECT product_no, true AS surely, 0 AS positions FROM universal_products UNION ALL \
                SELECT product_no, ",
            )
            .then(surely)
            .sql(", bit_or(CASE WHEN position > 0 THEN 1 << position ELSE 0 END) FROM fitments WHERE ")
            .then(self.of_vehicle())
            .sql(" GROUP BY product_no) AS said GROUP BY product_no")
    }

    /// The engines that the vehicle may have.
    fn engines(&self) -> Vec<i32> {
        self.filter.wanted.engines().iter().map(|engine| engine.get()).collect()
    }

    /// Under no condition, with whatever engine the vehicle may have.
    fn fits_surely(&self) -> Condition {
        let wanted = &self.filter.wanted;
        let surely = self.fitting().sql(" AND fitments.condition_id = 0");
        if wanted.engine().is_some() {
            return surely.sql(READ_ONCE);
        }
        let mut engines = self.engines();
        if engines.is_empty() {
            return surely.sql(" AND fitments.engine_id = 0").sql(READ_ONCE);
        }
        engines.push(0);
        let count = i64::try_from(wanted.engines().len()).unwrap_or(i64::MAX);
        surely
            .sql(" AND ")
            .then(with_engine(engines))
            .sql(" GROUP BY product_no HAVING min(fitments.engine_id) = 0 OR count(DISTINCT fitments.engine_id) = ")
            .long(count)
            .sql(READ_ONCE)
    }
}

/// A statement that reads the ids of part types, which are named by their names or ids.
pub(super) fn part_type_ids(part_types: &[String]) -> Condition {
    let names: Vec<String> = part_types.iter().map(|name| fold(name)).collect();
    Condition::new()
        .sql("SELECT id FROM part_types WHERE name_key = ANY (")
        .texts(names.clone())
        .sql(") OR id::text = ANY (")
        .texts(names)
        .sql(")")
}

fn with_engine(engines: Vec<i32>) -> Condition {
    Condition::new().sql("fitments.engine_id = ANY (").integers(engines).sql(")")
}

/// A statement that reads where products belong, a bit for each position: on the query's vehicle, or on any if it has none.
pub(super) fn placed(query: &ProductQuery, with_part_types: bool) -> Condition {
    let of_any = || Condition::new().sql("SELECT product_no, positions FROM product_positions");
    Fitting::of(query, with_part_types).map_or_else(of_any, |fitting| fitting.placed())
}

/// The products that belong at one of these positions.
pub(super) fn at_positions(query: &ProductQuery, with_part_types: bool) -> Condition {
    let wanted = query.positions.iter().fold(0, |bits, position| bits | position.bit());
    Condition::new()
        .sql("products.no IN (SELECT product_no FROM (")
        .then(placed(query, with_part_types))
        .sql(") AS placed WHERE positions & ")
        .integer(wanted.cast_signed())
        .sql(" <> 0)")
}
