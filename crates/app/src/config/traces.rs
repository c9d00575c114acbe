//! Whether traces are exported, where to, and which: by the variables that OpenTelemetry has for it.

use std::str::FromStr;

use url::Url;

use super::reader::EnvReader;

/// What the shop calls itself in traces, unless `OTEL_SERVICE_NAME` is set.
const SERVICE: &str = "driveline";

/// Where traces go, and which.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TraceSettings {
    /// Where spans are posted to.
    pub(crate) endpoint: Url,
    /// The name of the service that they are of.
    pub(crate) service: String,
    pub(crate) sampling: Sampling,
}

/// Which traces are exported.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sampling {
    /// Whether a trusted proxy's decision about a trace takes precedence.
    pub(crate) follows_caller: bool,
    /// The part of all traces, from 0 to 1.
    pub(crate) ratio: f64,
}

impl Sampling {
    const ALL: Self = Self { follows_caller: true, ratio: 1.0 };
}

impl EnvReader<'_> {
    pub(super) fn traces(&mut self) -> Option<TraceSettings> {
        const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
        const WANTED: &str = "the http(s) address of an OTLP receiver, such as http://127.0.0.1:4318";
        let endpoint = self.parsed(ENDPOINT, WANTED, traces_below);
        let service = self.text("OTEL_SERVICE_NAME").unwrap_or_else(|| SERVICE.to_owned());
        let sampling = self.sampling();
        Some(TraceSettings { endpoint: endpoint?, service, sampling })
    }

    fn sampling(&mut self) -> Sampling {
        const WANTED: &str = "always_on, always_off or traceidratio, or one of them after parentbased_";
        let ratio = self.parsed("OTEL_TRACES_SAMPLER_ARG", "a number from 0 to 1", |typed| {
            typed.parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio))
        });
        let named = self.parsed("OTEL_TRACES_SAMPLER", WANTED, |typed| {
            let (follows_caller, sampler) = match typed.strip_prefix("parentbased_") {
                Some(sampler) => (true, sampler),
                None => (false, typed),
            };
            let ratio = match sampler {
                "always_on" => 1.0,
                "always_off" => 0.0,
                "traceidratio" => ratio.unwrap_or(1.0),
                _ => return None,
            };
            Some(Sampling { follows_caller, ratio })
        });
        named.unwrap_or(Sampling::ALL)
    }
}

/// The address of traces below that of a receiver (the OTLP specification, "OTLP Exporter").
fn traces_below(typed: &str) -> Option<Url> {
    let mut url = Url::from_str(typed).ok()?;
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    // It is said in logs, so that it may not hold a password.
    let is_bare =
        url.query().is_none() && url.fragment().is_none() && url.username().is_empty() && url.password().is_none();
    url.path_segments_mut().ok()?.pop_if_empty().extend(["v1", "traces"]);
    (is_web && is_bare).then_some(url)
}
