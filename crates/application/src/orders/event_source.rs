//! The ids and times of new events.

use std::sync::Arc;

use domain::orders::order::EventMeta;
use domain::{Actor, EventId};
use ports::{Clock, Ids};

use crate::Ports;

#[derive(Clone)]
pub(crate) struct EventSource {
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
}

impl EventSource {
    pub(crate) fn new(ports: &Ports) -> Self {
        Self { clock: Arc::clone(&ports.clock), ids: Arc::clone(&ports.ids) }
    }

    /// The id, actor and time of a new event.
    pub(crate) fn meta(&self, by: Actor) -> EventMeta {
        EventMeta { event: EventId::new(self.ids.fresh()), by, at: self.clock.now() }
    }
}
