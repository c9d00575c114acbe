//! Who is told what happens here.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_types::{Array, BigInt, Binary, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::delivery::{DeliveryId, DeliveryState};
use domain::{Endpoint, EndpointId, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{
    AddedEndpoint, DeliveryPage, EndpointDeliveries, EndpointStore, IdempotencyKey, KeptEndpoint, SealedSecret,
    StoreError,
};
use uuid::Uuid;

use crate::Database;
use crate::idempotency::{self, same_request};
use crate::outbox_store;
use crate::rows::{Reading, all};
use crate::schema::{outbox, webhook_endpoints};

#[async_trait]
impl EndpointStore for Database {
    async fn add(
        &self,
        new: &KeptEndpoint,
        most: u32,
        once: Option<IdempotencyKey>,
    ) -> Result<AddedEndpoint, StoreError> {
        let new = new.clone();
        self.run(move |connection| {
            connection.transaction(|connection| {
                // Two that are added at once would each see room for one. Orders do not wait for this lock.
                diesel::sql_query("LOCK TABLE webhook_endpoints IN SHARE ROW EXCLUSIVE MODE").execute(connection)?;
                if let Some(first) = added_under(connection, once)? {
                    return Ok(AddedEndpoint::Before(first));
                }
                let (once_key, once_fingerprint) = idempotency::columns(once);
                let topics: Vec<&str> = new.endpoint.topics.iter().map(|topic| topic.as_str()).collect();
                let added = diesel::sql_query(
                    "INSERT INTO webhook_endpoints (id, url, topics, secret, created_at, once_key, once_fingerprint)
                    SELECT $1, $2, $3, $4, $5, $7, $8
                    WHERE (SELECT count(*) FROM webhook_endpoints WHERE removed_at IS NULL) < $6",
                )
                .bind::<SqlUuid, _>(new.endpoint.id.uuid())
                .bind::<Text, _>(new.endpoint.url.as_str())
                .bind::<Array<Text>, _>(topics)
                .bind::<Binary, _>(&new.secret.0)
                .bind::<Timestamptz, SqlTimestamp>(new.endpoint.created_at.to_diesel())
                .bind::<BigInt, _>(i64::from(most))
                .bind::<Nullable<Binary>, _>(once_key)
                .bind::<Nullable<Binary>, _>(once_fingerprint)
                .execute(connection)?;
                Ok(if added > 0 { AddedEndpoint::New } else { AddedEndpoint::Full })
            })
        })
        .await
    }

    async fn list(&self) -> Result<Vec<KeptEndpoint>, StoreError> {
        self.read_many(|connection| {
            let rows: Vec<EndpointRow> = webhook_endpoints::table
                .filter(webhook_endpoints::removed_at.is_null())
                .order((webhook_endpoints::created_at, webhook_endpoints::id))
                .select(EndpointRow::as_select())
                .load(connection)?;
            all(rows)
        })
        .await
    }

    async fn find(&self, id: EndpointId) -> Result<Option<KeptEndpoint>, StoreError> {
        self.read(move |connection| {
            let row: Option<EndpointRow> = webhook_endpoints::table
                .find(id.uuid())
                .filter(webhook_endpoints::removed_at.is_null())
                .select(EndpointRow::as_select())
                .first(connection)
                .optional()?;
            row.map(KeptEndpoint::try_from).transpose()
        })
        .await
    }

    async fn remove(&self, id: EndpointId, at: Timestamp) -> Result<bool, StoreError> {
        self.run(move |connection| {
            connection.transaction(|connection| {
                let removed = diesel::update(webhook_endpoints::table.find(id.uuid()))
                    .filter(webhook_endpoints::removed_at.is_null())
                    .set((
                        webhook_endpoints::removed_at.eq(at.to_diesel()),
                        webhook_endpoints::secret.eq(None::<Vec<u8>>),
                        webhook_endpoints::once_key.eq(None::<Vec<u8>>),
                        webhook_endpoints::once_fingerprint.eq(None::<Vec<u8>>),
                    ))
                    .execute(connection)?;
                // What is written by whoever did not see the removal yet is given up when it is due.
                diesel::delete(outbox::table)
                    .filter(outbox::endpoint_id.eq(id.uuid()))
                    .filter(outbox::state.ne(DeliveryState::Sent.as_str()))
                    .execute(connection)?;
                Ok(removed > 0)
            })
        })
        .await
    }

    async fn disable(&self, id: EndpointId, at: Timestamp) -> Result<(), StoreError> {
        self.run(move |connection| {
            diesel::update(webhook_endpoints::table.find(id.uuid()))
                .filter(webhook_endpoints::disabled_at.is_null())
                .set(webhook_endpoints::disabled_at.eq(at.to_diesel()))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn reseal(&self, id: EndpointId, before: &SealedSecret, after: &SealedSecret) -> Result<(), StoreError> {
        let (before, after) = (before.0.clone(), after.0.clone());
        self.run(move |connection| {
            diesel::update(webhook_endpoints::table.find(id.uuid()))
                .filter(webhook_endpoints::secret.eq(before))
                .set(webhook_endpoints::secret.eq(after))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn deliveries(&self, query: &EndpointDeliveries) -> Result<Option<DeliveryPage>, StoreError> {
        let query = *query;
        self.read_many(move |connection| {
            let endpoint = query.endpoint.uuid();
            let known = webhook_endpoints::table.find(endpoint).filter(webhook_endpoints::removed_at.is_null());
            let is_there: bool = diesel::select(diesel::dsl::exists(known)).get_result(connection)?;
            if !is_there {
                return Ok(None);
            }
            let its = || outbox::table.filter(outbox::endpoint_id.eq(endpoint)).into_boxed();
            outbox_store::page(connection, its, query.limit, query.after).map(Some)
        })
        .await
    }

    async fn answered(&self, id: DeliveryId, status: u16) -> Result<(), StoreError> {
        self.run(move |connection| {
            diesel::update(outbox::table.find(id.get()))
                .set(outbox::status_code.eq(i32::from(status)))
                .execute(connection)
                .map(drop)
        })
        .await
    }
}

/// The endpoint that the same request added before.
fn added_under(connection: &mut PgConnection, once: Option<IdempotencyKey>) -> QueryResult<Option<KeptEndpoint>> {
    let Some(once) = once else { return Ok(None) };
    let first: Option<(EndpointRow, Option<Vec<u8>>)> = webhook_endpoints::table
        .filter(webhook_endpoints::once_key.eq(once.key.0.to_vec()))
        .select((EndpointRow::as_select(), webhook_endpoints::once_fingerprint))
        .first(connection)
        .optional()?;
    let Some((first, fingerprint)) = first else { return Ok(None) };
    same_request(once, fingerprint.as_deref())?;
    first.try_into().map(Some)
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = webhook_endpoints, check_for_backend(diesel::pg::Pg))]
struct EndpointRow {
    id: Uuid,
    url: String,
    topics: Vec<Option<String>>,
    secret: Option<Vec<u8>>,
    created_at: SqlTimestamp,
    disabled_at: Option<SqlTimestamp>,
}

impl TryFrom<EndpointRow> for KeptEndpoint {
    type Error = Error;

    fn try_from(row: EndpointRow) -> QueryResult<Self> {
        let reading = Reading { what: "webhook endpoint", id: row.id };
        let topics = row.topics.iter().flatten().map(|topic| reading.parse("topics", topic));
        let endpoint = Endpoint {
            id: EndpointId::new(row.id),
            url: reading.parse("url", &row.url)?,
            topics: topics.collect::<QueryResult<_>>()?,
            created_at: row.created_at.to_jiff(),
            disabled_at: row.disabled_at.map(SqlTimestamp::to_jiff),
        };
        let secret = row.secret.ok_or_else(|| reading.refuse("secret", "there is none"))?;
        Ok(Self { endpoint, secret: SealedSecret(secret) })
    }
}
