//! Headers of requests.

use super::texts;
use crate::target::Target;

/// `X-Forwarded-For`.
pub(super) const FORWARDED_FOR: Target = Target::of_text(
    "forwarded-for",
    || {
        texts(&[
            "203.0.113.9, 10.0.0.1",
            "[2001:db8::1]:4711\n10.0.0.1",
            "::ffff:10.0.0.1, unknown, _hidden",
            "10.0.0.1:80",
        ])
    },
    &[",", "\n", "10.0.0.1", "::ffff:10.0.0.1", "[", "]", ":", "%eth0", "0x7f", "127.1", "::"],
    http_adapter::fuzz::forwarded_for,
);

/// `traceparent`.
pub(super) const TRACEPARENT: Target = Target::of_text(
    "traceparent",
    || {
        texts(&[
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00-later",
        ])
    },
    &["-", "00", "ff", "00000000000000000000000000000000", "+", "A"],
    http_adapter::fuzz::traceparent,
);

/// `Idempotency-Key` and `Authorization`.
pub(super) const KEYS: Target = Target::of_text(
    "key-headers",
    || texts(&["0199f3a0-0000-7000-8000-000000000001", "Bearer eyJ.eyJ.c2ln", " a key with blanks "]),
    &["Bearer ", "bearer", " ", "\t", "\u{7f}", "Ä"],
    http_adapter::fuzz::headers,
);

/// `Content-Type`.
pub(super) const MEDIA_TYPE: Target = Target::of_text(
    "media-type",
    || {
        texts(&[
            "application/json; charset=utf-8",
            "application/problem+json",
            "multipart/form-data; boundary=\"a b\"",
            "text/csv",
        ])
    },
    &["/", ";", "=", "\"", "+json", "charset=", "boundary=", "*", "\\"],
    http_adapter::fuzz::media_type,
);
