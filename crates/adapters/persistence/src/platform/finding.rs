//! Rows by their keys, in batches that share a round trip.

use std::collections::HashMap;
use std::marker::PhantomData;

use diesel::prelude::*;
use uuid::Uuid;

use crate::platform::db::{Batched, Call, Lane, answer_all, internal, is_retryable, unavailable};

/// What is found by a key.
pub(crate) trait Found: Clone + Send + 'static {
    /// What is asked for besides the id; all calls of a batch ask for their own.
    type Asked: Copy + Send + 'static;

    /// What belongs to these ids, each with its id; an error for what cannot be read. Ids may repeat.
    fn load(
        connection: &mut PgConnection,
        asked: &[(Uuid, Self::Asked)],
    ) -> QueryResult<Vec<(Uuid, QueryResult<Self>)>>;
}

/// Something that is to be found by its id; `None` if there is nothing.
pub(crate) struct Finding<T: Found> {
    id: Uuid,
    asked: T::Asked,
    what: PhantomData<fn() -> T>,
}

impl<T: Found> Finding<T> {
    pub(crate) fn new(id: Uuid, asked: T::Asked) -> Self {
        Self { id, asked, what: PhantomData }
    }
}

impl<T: Found> Batched for Finding<T> {
    type Outcome = Option<T>;

    const LANE: Lane = Lane::Reads;

    fn run(connection: &mut PgConnection, calls: Vec<Call<Self>>, _: bool) -> QueryResult<Vec<(Uuid, Call<Self>)>> {
        let asked: Vec<_> = calls.iter().map(|call| (call.work.id, call.work.asked)).collect();
        let found = match T::load(connection, &asked) {
            Ok(found) => found,
            Err(error) => {
                let cause = error.to_string();
                let why = if is_retryable(&error) { unavailable(cause) } else { internal(cause) };
                answer_all(calls, &why);
                return Err(error);
            }
        };
        // A row that cannot be read is an error for those who asked for it.
        let found: HashMap<Uuid, Result<T, String>> =
            found.into_iter().map(|(id, one)| (id, one.map_err(|error| error.to_string()))).collect();
        for call in calls {
            let one = found.get(&call.work.id).cloned().transpose().map_err(internal);
            call.answer(one);
        }
        Ok(Vec::new())
    }
}
