//! What a search finds before its other choices, for whoever holds all products. Each answer is one row of arrays, because a vehicle
//! has tens of thousands of products and a word a hundred thousand.

use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Integer, Nullable};
use domain::PartKey;
use ports::{Candidate, FitsAtLeast, ProductQuery};

use crate::catalog::fitting::{Fitting, part_type_ids};
use crate::catalog::ways::exactly;
use crate::catalog::words;
use crate::platform::condition::{Composed, Condition};
use crate::platform::search;

/// Arrays of the same length; without products they are null, and so is what a statement does not tell.
#[derive(QueryableByName)]
struct Gathered {
    #[diesel(sql_type = Nullable<Array<Integer>>)]
    nos: Option<Vec<i32>>,
    #[diesel(sql_type = Nullable<Array<Bool>>)]
    surely: Option<Vec<bool>>,
    #[diesel(sql_type = Nullable<Array<Integer>>)]
    positions: Option<Vec<i32>>,
}

impl Gathered {
    fn candidates(self) -> Vec<Candidate> {
        let surely = self.surely.into_iter().flatten().chain(std::iter::repeat(true));
        let positions = self.positions.into_iter().flatten().chain(std::iter::repeat(0));
        let found = self.nos.into_iter().flatten().zip(surely).zip(positions);
        let candidate = |((no, surely), positions): ((i32, bool), i32)| Candidate {
            no,
            rank: u8::from(!surely),
            positions: positions.cast_unsigned(),
        };
        found.map(candidate).collect()
    }
}

#[derive(QueryableByName)]
struct PartTypeId {
    #[diesel(sql_type = Integer)]
    id: i32,
}

/// As [`ports::CatalogSearch::candidates`].
pub(super) fn read(connection: &mut PgConnection, query: &ProductQuery) -> QueryResult<Option<Vec<Candidate>>> {
    // Where a part belongs is only known of a vehicle's own.
    let is_beside = query.fit.is_none() && !query.positions.is_empty();
    if query.archived || query.number.is_some() || is_beside {
        return Ok(None);
    }
    match (Fitting::of(query, false), &query.search) {
        (Some(fitting), None) => of_vehicle(connection, &fitting),
        (None, Some(search)) => of_words(connection, search),
        _ => Ok(None),
    }
}

fn of_vehicle(connection: &mut PgConnection, fitting: &Fitting<'_>) -> QueryResult<Option<Vec<Candidate>>> {
    let at_least = fitting.at_least();
    if at_least == FitsAtLeast::Unknown {
        return Ok(None);
    }
    let asked = Condition::new()
        .sql("SELECT array_agg(product_no) AS nos, array_agg(surely) AS surely, array_agg(positions) AS positions FROM (")
        .then(fitting.said())
        .sql(") AS listed");
    let gathered: Gathered = Composed(asked).get_result(connection)?;
    let mut candidates = gathered.candidates();
    candidates.retain(|candidate| at_least == FitsAtLeast::Perhaps || candidate.rank == 0);
    Ok(Some(candidates))
}

fn of_words(connection: &mut PgConnection, search: &str) -> QueryResult<Option<Vec<Candidate>>> {
    if search::words(Some(search)).is_none() {
        return Ok(None);
    }
    let is_number = PartKey::new(search).is_ok_and(|key| key.is_number());
    if is_number && !exactly(connection, search, false)?.is_empty() {
        return Ok(None);
    }
    let words = words::read(connection, search)?;
    let asked = Condition::new()
        .sql("SELECT array_agg(product_no) AS nos, NULL::boolean[] AS surely, NULL::integer[] AS positions FROM (")
        .then(words::having(&words, false))
        .sql(") AS found");
    let gathered: Gathered = Composed(asked).get_result(connection)?;
    let candidates = gathered.candidates();
    Ok(Some(candidates).filter(|candidates| !candidates.is_empty() || !words.may_have_slips()))
}

/// As [`ports::CatalogSearch::placed`].
pub(super) fn placed(connection: &mut PgConnection, part_types: &[String]) -> QueryResult<Vec<Candidate>> {
    let ids: Vec<PartTypeId> = Composed(part_type_ids(part_types)).load(connection)?;
    // By numbers that Postgres knows, because with others it takes a part type for a large part of the shop and reads all of that. For
    // the same reason each product is looked up.
    let asked = Condition::new()
        .sql(
            "SELECT array_agg(of_type.product_no) AS nos, NULL::boolean[] AS surely, array_agg(placed.positions) AS positions \
            FROM product_search AS of_type JOIN LATERAL (\
            SELECT positions FROM product_positions WHERE product_no = of_type.product_no OFFSET 0) AS placed ON true \
            WHERE of_type.part_type_id = ANY (",
        )
        .integers(ids.into_iter().map(|part_type| part_type.id).collect())
        .sql(")");
    let gathered: Gathered = Composed(asked).get_result(connection)?;
    Ok(gathered.candidates())
}
