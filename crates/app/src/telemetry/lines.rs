//! Log lines for collectors: JSON, each with the trace that it belongs to.

use std::fmt;

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::{JsonFields, Writer};
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

/// The field of a span that names its trace.
const TRACE_ID: &str = "trace_id";

/// Writes an event as one JSON object: `timestamp`, `level`, `target`, the event's fields, `span` with what the request or the
/// job is, and `trace_id`. The spans that are exported only are left out.
pub(super) struct Lines;

impl<S: Subscriber + for<'a> LookupSpan<'a>> FormatEvent<S, JsonFields> for Lines {
    fn format_event(
        &self,
        context: &FmtContext<'_, S, JsonFields>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = Line(Map::new());
        let mut time = String::new();
        if SystemTime.format_time(&mut Writer::new(&mut time)).is_ok() {
            line.0.insert("timestamp".to_owned(), time.into());
        }
        line.0.insert("level".to_owned(), event.metadata().level().as_str().into());
        event.record(&mut line);
        line.0.insert("target".to_owned(), event.metadata().target().into());
        let mut spans = context.event_scope().into_iter().flatten();
        if let Some(span) = spans.find(|span| span.metadata().target() != ports::SPANS) {
            let mut said = Map::new();
            if let Some(fields) = span.extensions().get::<FormattedFields<JsonFields>>()
                && let Ok(Value::Object(fields)) = serde_json::from_str(&fields.fields)
            {
                said = fields;
            }
            if let Some(id) = said.remove(TRACE_ID) {
                line.0.insert(TRACE_ID.to_owned(), id);
            }
            // A job has a field of that name.
            said.entry("name").or_insert_with(|| span.name().into());
            line.0.insert("span".to_owned(), said.into());
        }
        writeln!(writer, "{}", Value::Object(line.0))
    }
}

/// The fields of a line.
struct Line(Map<String, Value>);

impl Visit for Line {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}").into());
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use tracing_subscriber::layer::SubscriberExt as _;
    use tracing_subscriber::{fmt as subscriber, registry};

    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn lines_of(work: impl FnOnce()) -> Vec<Value> {
        let written = Written::default();
        let writer = written.clone();
        let layer =
            subscriber::layer().fmt_fields(JsonFields::new()).event_format(Lines).with_writer(move || writer.clone());
        tracing::subscriber::with_default(registry().with(layer), work);
        let written = written.0.lock().unwrap().clone();
        String::from_utf8(written).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn a_line_names_its_trace_below_spans_that_are_only_exported() {
        let lines = lines_of(|| {
            let request = tracing::info_span!("request", id = "r1", method = "GET", trace_id = "abc");
            let exported = request.in_scope(|| tracing::info_span!(target: ports::SPANS, "database call"));
            // Another thread has entered nothing else.
            exported.in_scope(|| tracing::warn!(many = 3, part = 0.5, is_late = true, what = ?Some(1), "told"));
            tracing::info!("outside");
        });
        let [told, outside] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!(
            (&told["trace_id"], &told["level"], &told["message"]),
            (&"abc".into(), &"WARN".into(), &"told".into())
        );
        assert_eq!((&told["many"], &told["part"], &told["is_late"]), (&3.into(), &0.5.into(), &true.into()));
        assert_eq!(told["what"], "Some(1)");
        assert_eq!(told["span"], serde_json::json!({"name": "request", "id": "r1", "method": "GET"}));
        assert!(told["timestamp"].as_str().unwrap().ends_with('Z'));
        assert_eq!((outside.get("trace_id"), outside.get("span")), (None, None));
    }
}
