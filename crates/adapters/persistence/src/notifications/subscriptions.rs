//! Webhook subscriptions.

use std::time::Duration;

use async_trait::async_trait;
use diesel::dsl::{now, sql};
use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::notifications::delivery::{Channel, DeliveryId, DeliveryState, Topic};
use domain::{AccountId, Disabled, Role, Timestamp, WebhookSubscription, WebhookSubscriptionId};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{
    AddedSubscription, Breaker, BreakerState, Delivery, IdempotencyKey, Page, SealedSecret, StoreError,
    StoredSubscription, WebhookDeliveryQuery, WebhookSubscriptions,
};
use uuid::Uuid;

use crate::Database;
use crate::notifications::outbox as outbox_store;
use crate::platform::db::millis;
use crate::platform::decode::{RowDecoder, decode_all, readable};
use crate::platform::idempotency::{self, same_request};
use crate::platform::sql_file::sql_file;
use crate::schema::{outbox, webhook_endpoints};

#[async_trait]
impl WebhookSubscriptions for Database {
    async fn add(
        &self,
        new: &StoredSubscription,
        added_by: AccountId,
        most: u32,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Result<AddedSubscription, StoreError> {
        let new = new.clone();
        self.run(move |connection| {
            connection.transaction(|connection| {
                // Two concurrent additions would each see room for one more. Orders do not wait for this lock.
                diesel::sql_query("LOCK TABLE webhook_endpoints IN SHARE ROW EXCLUSIVE MODE").execute(connection)?;
                if let Some(first) = added_under(connection, idempotency_key)? {
                    return Ok(AddedSubscription::Before(first));
                }
                let (once_key, once_fingerprint) = idempotency::columns(idempotency_key);
                let topics: Vec<&str> = new.subscription.topics.iter().map(|topic| topic.as_str()).collect();
                let added = sql_file!("add_subscription.sql", {
                    id: SqlUuid = new.subscription.id.uuid(),
                    added_by: SqlUuid = added_by.uuid(),
                    url: Text = new.subscription.url.as_str(),
                    topics: Array<Text> = topics,
                    secret: Binary = &new.secret.0,
                    created_at: Timestamptz = new.subscription.created_at.to_diesel(),
                    idempotency_key: Nullable<Binary> = once_key,
                    request_fingerprint: Nullable<Binary> = once_fingerprint,
                    limit: BigInt = i64::from(most),
                })
                .execute(connection)?;
                Ok(if added > 0 { AddedSubscription::New } else { AddedSubscription::Full })
            })
        })
        .await
    }

    async fn list(&self) -> Result<Vec<StoredSubscription>, StoreError> {
        self.read_many(|connection| {
            let rows: Vec<SubscriptionRow> = webhook_endpoints::table
                .filter(webhook_endpoints::removed_at.is_null())
                .order((webhook_endpoints::created_at, webhook_endpoints::id))
                .select(SubscriptionRow::as_select())
                .load(connection)?;
            decode_all(rows)
        })
        .await
    }

    async fn sealed(&self) -> Result<Vec<(WebhookSubscriptionId, SealedSecret)>, StoreError> {
        self.run(|connection| {
            let rows: Vec<SealedRow> = webhook_endpoints::table
                .filter(webhook_endpoints::removed_at.is_null())
                .order((webhook_endpoints::created_at, webhook_endpoints::id))
                .select(SealedRow::as_select())
                .load(connection)?;
            Ok(readable("webhook subscription", rows))
        })
        .await
    }

    async fn find(&self, id: WebhookSubscriptionId) -> Result<Option<StoredSubscription>, StoreError> {
        self.read(move |connection| {
            let row: Option<SubscriptionRow> = webhook_endpoints::table
                .find(id.uuid())
                .filter(webhook_endpoints::removed_at.is_null())
                .select(SubscriptionRow::as_select())
                .first(connection)
                .optional()?;
            row.map(StoredSubscription::try_from).transpose()
        })
        .await
    }

    async fn remove(&self, id: WebhookSubscriptionId, at: Timestamp) -> Result<bool, StoreError> {
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
                // Deliveries written by a transaction that did not see the removal yet are dead-lettered when they are
                // due.
                diesel::delete(outbox::table)
                    .filter(outbox::endpoint_id.eq(id.uuid()))
                    .filter(outbox::state.ne(DeliveryState::Sent.as_str()))
                    .execute(connection)?;
                Ok(removed > 0)
            })
        })
        .await
    }

    async fn due(&self, topics: &[Topic]) -> Result<Vec<StoredSubscription>, StoreError> {
        let topics: Vec<&str> = topics.iter().map(|topic| topic.as_str()).collect();
        self.run(move |connection| {
            let something_is_due = sql::<Bool>(
                "EXISTS (SELECT FROM outbox WHERE endpoint_id = webhook_endpoints.id AND state = 'waiting'
                    AND channel = 'webhook' AND due_at <= now() AND topic = ANY (",
            )
            .bind::<Array<Text>, _>(topics)
            .sql("))");
            let rows: Vec<SubscriptionRow> = webhook_endpoints::table
                .filter(webhook_endpoints::removed_at.is_null())
                .filter(webhook_endpoints::disabled_at.is_null())
                .filter(webhook_endpoints::next_try_at.is_null().or(webhook_endpoints::next_try_at.le(now)))
                .filter(something_is_due)
                .select(SubscriptionRow::as_select())
                .load(connection)?;
            Ok(readable("webhook subscription", rows))
        })
        .await
    }

    async fn may_probe(&self, id: WebhookSubscriptionId, every: Duration) -> Result<bool, StoreError> {
        self.run(move |connection| {
            let first = diesel::sql_query(
                "UPDATE webhook_endpoints SET next_try_at = clock_timestamp() + $2 * interval '1 millisecond'
                WHERE id = $1 AND next_try_at <= clock_timestamp()",
            )
            .bind::<SqlUuid, _>(id.uuid())
            .bind::<BigInt, _>(millis(every))
            .execute(connection)?;
            Ok(first > 0)
        })
        .await
    }

    async fn failed(&self, id: WebhookSubscriptionId, breaker: Breaker) -> Result<BreakerState, StoreError> {
        self.run(move |connection| {
            let fares: Option<Fares> = sql_file!("note_failure.sql", {
                subscription: SqlUuid = id.uuid(),
                opens_after: Integer = i32::try_from(breaker.opens_after).unwrap_or(i32::MAX),
                probe_every_ms: BigInt = millis(breaker.probe_every),
                gives_up_after_ms: BigInt = millis(breaker.gives_up_after),
            })
            .get_result(connection)
            .optional()?;
            Ok(match fares {
                Some(Fares { lasting: true, hopeless: true }) => BreakerState::Expired,
                Some(Fares { lasting: true, .. }) => BreakerState::Open,
                _ => BreakerState::Closed,
            })
        })
        .await
    }

    async fn recovered(&self, id: WebhookSubscriptionId) -> Result<(), StoreError> {
        self.run(move |connection| clear_failures(connection, id, false).map(drop)).await
    }

    async fn disable(&self, id: WebhookSubscriptionId, why: &str) -> Result<(), StoreError> {
        let why = why.to_owned();
        self.run(move |connection| {
            connection.transaction(|connection| {
                let disabled = diesel::update(webhook_endpoints::table.find(id.uuid()))
                    .filter(webhook_endpoints::disabled_at.is_null())
                    .filter(webhook_endpoints::removed_at.is_null())
                    .set((webhook_endpoints::disabled_at.eq(now), webhook_endpoints::disabled_reason.eq(why)))
                    .execute(connection)?;
                if disabled == 0 {
                    return Ok(());
                }
                diesel::sql_query(
                    "INSERT INTO outbox (channel, topic, endpoint_id, email, created_at, due_at)
                    SELECT 'mail', $1, $2, email, now(), now() FROM accounts WHERE role = $3 AND removed_at IS NULL",
                )
                .bind::<Text, _>(Topic::WebhookDisabled.as_str())
                .bind::<SqlUuid, _>(id.uuid())
                .bind::<Text, _>(Role::Admin.as_str())
                .execute(connection)
                .map(drop)
            })
        })
        .await
    }

    async fn enable(&self, id: WebhookSubscriptionId) -> Result<bool, StoreError> {
        self.run(move |connection| Ok(clear_failures(connection, id, true)? > 0)).await
    }

    async fn reseal(
        &self,
        id: WebhookSubscriptionId,
        before: &SealedSecret,
        after: &SealedSecret,
    ) -> Result<(), StoreError> {
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

    async fn deliveries(&self, query: &WebhookDeliveryQuery) -> Result<Option<Page<Delivery, DeliveryId>>, StoreError> {
        let query = *query;
        self.read_many(move |connection| {
            let subscription = query.subscription.uuid();
            let known = webhook_endpoints::table.find(subscription).filter(webhook_endpoints::removed_at.is_null());
            let is_there: bool = diesel::select(diesel::dsl::exists(known)).get_result(connection)?;
            if !is_there {
                return Ok(None);
            }
            let its = || {
                let calls = outbox::channel.eq(Channel::Webhook.as_str());
                outbox::table.filter(outbox::endpoint_id.eq(subscription)).filter(calls).into_boxed()
            };
            outbox_store::page(connection, its, &query.page).map(Some)
        })
        .await
    }
}

fn clear_failures(connection: &mut PgConnection, id: WebhookSubscriptionId, enabled: bool) -> QueryResult<usize> {
    sql_file!("clear_failures.sql", { subscription: SqlUuid = id.uuid(), enables: Bool = enabled }).execute(connection)
}

#[derive(QueryableByName)]
struct Fares {
    #[diesel(sql_type = Bool)]
    lasting: bool,
    #[diesel(sql_type = Bool)]
    hopeless: bool,
}

/// The subscription that an earlier request with this idempotency key added.
fn added_under(
    connection: &mut PgConnection,
    idempotency_key: Option<IdempotencyKey>,
) -> QueryResult<Option<StoredSubscription>> {
    let Some(idempotency_key) = idempotency_key else { return Ok(None) };
    let first: Option<(SubscriptionRow, Option<Vec<u8>>)> = webhook_endpoints::table
        .filter(webhook_endpoints::once_key.eq(idempotency_key.key.0.to_vec()))
        .select((SubscriptionRow::as_select(), webhook_endpoints::once_fingerprint))
        .first(connection)
        .optional()?;
    let Some((first, fingerprint)) = first else { return Ok(None) };
    same_request(idempotency_key, fingerprint.as_deref())?;
    first.try_into().map(Some)
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = webhook_endpoints, check_for_backend(diesel::pg::Pg))]
struct SubscriptionRow {
    id: Uuid,
    url: String,
    topics: Vec<Option<String>>,
    secret: Option<Vec<u8>>,
    created_at: SqlTimestamp,
    disabled_at: Option<SqlTimestamp>,
    disabled_reason: Option<String>,
    failures: i32,
    failing_since: Option<SqlTimestamp>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = webhook_endpoints, check_for_backend(diesel::pg::Pg))]
struct SealedRow {
    id: Uuid,
    secret: Option<Vec<u8>>,
}

impl TryFrom<SealedRow> for (WebhookSubscriptionId, SealedSecret) {
    type Error = Error;

    fn try_from(row: SealedRow) -> QueryResult<Self> {
        Ok((WebhookSubscriptionId::new(row.id), sealed(row.id, row.secret)?))
    }
}

/// The sealed secret of a subscription, which has one until it is removed.
fn sealed(subscription: Uuid, secret: Option<Vec<u8>>) -> QueryResult<SealedSecret> {
    let decoder = RowDecoder { what: "webhook subscription", id: subscription };
    secret.map(SealedSecret).ok_or_else(|| decoder.refuse("secret", "there is none"))
}

impl TryFrom<SubscriptionRow> for StoredSubscription {
    type Error = Error;

    fn try_from(row: SubscriptionRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "webhook subscription", id: row.id };
        let topics = row.topics.iter().flatten().map(|topic| decoder.parse("topics", topic));
        let subscription = WebhookSubscription {
            id: WebhookSubscriptionId::new(row.id),
            url: decoder.parse("url", &row.url)?,
            topics: topics.collect::<QueryResult<_>>()?,
            created_at: row.created_at.to_jiff(),
            failing_since: row.failing_since.map(SqlTimestamp::to_jiff),
            disabled: row.disabled_at.map(|at| Disabled {
                at: at.to_jiff(),
                // Older rows have no reason; there was only this one.
                why: row.disabled_reason.unwrap_or_else(|| "it answered with status 410".to_owned()),
            }),
        };
        let secret = sealed(row.id, row.secret)?;
        let failures = u32::try_from(row.failures).unwrap_or(0);
        Ok(Self { subscription, secret, failures })
    }
}
