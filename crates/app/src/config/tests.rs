use std::os::unix::ffi::OsStringExt;

use super::*;

const SOUND: [(&str, &str); 6] = [
    ("DATABASE_URL", "postgres://driveline:hunter2@db.example.com/driveline"),
    ("PUBLIC_URL", "https://shop.example.com/"),
    ("TOKEN_SECRET", "0123456789abcdef0123456789abcdef"),
    ("STRIPE_SECRET_KEY", "sk_test_51secret"),
    ("STRIPE_PUBLISHABLE_KEY", "pk_test_51public"),
    ("STRIPE_WEBHOOK_SECRET", "whsec_signing"),
];

/// An environment of valid settings, with some changed; an empty value removes one.
fn environment(changes: &[(&str, &str)]) -> impl Fn(&str) -> Option<OsString> + 'static {
    let all: Vec<(String, String)> =
        SOUND.iter().chain(changes).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    move |name| all.iter().rev().find(|(key, _)| key == name).map(|(_, value)| OsString::from(value))
}

fn complaints(changes: &[(&str, &str)]) -> Vec<String> {
    match serve(&environment(changes)) {
        Ok(_) => Vec::new(),
        Err(complaints) => complaints,
    }
}

/// The one complaint that a change causes.
fn complaint(changes: &[(&str, &str)]) -> String {
    let complaints = complaints(changes);
    assert_eq!(complaints.len(), 1, "{changes:?}: {complaints:?}");
    complaints.into_iter().next().unwrap()
}

#[test]
fn valid_settings_are_accepted_and_the_rest_has_defaults() {
    let settings = serve(&environment(&[])).unwrap();
    assert_eq!(settings.public_url, "https://shop.example.com");
    assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(settings.database.pool, database::POOL);
    assert_eq!(settings.stripe.api_base, "https://api.stripe.com");
    assert!(settings.google.is_none() && settings.mail.is_none());
    assert!(matches!(settings.images, Images::Folder(folder) if folder.as_os_str() == ".data/images"));
    assert!(settings.cors_origins.is_empty() && settings.trusted_proxies.is_empty());
    assert_eq!((settings.rate.per_minute, settings.rate.burst), (12_000, 2_000));
    assert_eq!((settings.read_rate.per_minute, settings.read_rate.burst), (30_000, 5_000));
    assert_eq!((settings.email_rate.per_minute, settings.email_rate.burst), (10, 30));
    assert_eq!(settings.write_timeout, Duration::from_mins(1));
    assert_eq!(settings.queue_delay, Duration::from_millis(100));
    assert_eq!(settings.contact, ShopContact { name: Some("Driveline".to_owned()), ..ShopContact::default() });
}

#[test]
fn every_setting_is_read() {
    let settings = serve(&environment(&[
        ("HOST", "0.0.0.0"),
        ("PORT", "9000"),
        ("METRICS_ADDR", "[::1]:9465"),
        ("DATABASE_POOL", "40"),
        ("TOKEN_SECRET_PREVIOUS", "fedcba9876543210fedcba9876543210"),
        ("STRIPE_API_BASE", "http://127.0.0.1:12111/"),
        ("GOOGLE_CLIENT_ID", "client"),
        ("GOOGLE_CLIENT_SECRET", "secret"),
        ("GOOGLE_ISSUER", "http://127.0.0.1:9400/"),
        ("IMGBB_API_KEY", "key"),
        ("IMGBB_API_BASE", "http://127.0.0.1:9500"),
        ("SMTP_URL", "smtps://shop:s3cr3t@mail.example.com"),
        ("MAIL_FROM", "Driveline <orders@shop.example.com>"),
        ("CORS_ORIGINS", "https://a.example.com, http://localhost:3000"),
        ("TRUSTED_PROXIES", "10.0.0.1,::1, 172.16.0.0/12,2001:db8::/32,::ffff:192.0.2.0/120,::ffff:192.0.2.7"),
        ("RATE_LIMIT_PER_SECOND", "5"),
        ("RATE_LIMIT_BURST", "7"),
        ("READ_LIMIT_PER_SECOND", "50"),
        ("READ_LIMIT_BURST", "70"),
        ("EMAIL_LIMIT_PER_MINUTE", "3"),
        ("WRITE_TIMEOUT_SECONDS", "7"),
        ("QUEUE_DELAY_MS", "0"),
        ("SHOP_COMPANY", "Vale Parts LLC"),
        ("SHOP_EMAIL", "Support@vale.example"),
        ("SHOP_PHONE", "+1 (202) 555-0143"),
        ("SHOP_ADDRESS", "7 Camshaft Bay, Gearton, OH 43000"),
        ("SHOP_HOURS", "Around the clock"),
        ("RUST_LOG", "debug"),
    ]))
    .unwrap();
    assert_eq!(settings.listen.to_string(), "0.0.0.0:9000");
    assert_eq!(settings.metrics, Some("[::1]:9465".parse().unwrap()));
    assert_eq!(settings.database.pool, 40);
    assert_eq!(settings.stripe.api_base, "http://127.0.0.1:12111");
    assert_eq!(settings.google.unwrap().issuer, "http://127.0.0.1:9400");
    assert!(matches!(settings.images, Images::Host { base, .. } if base == "http://127.0.0.1:9500"));
    let mail = settings.mail.unwrap();
    assert!(format!("{:?}", mail.server).contains("mail.example.com"));
    assert_eq!(mail.from, "Driveline <orders@shop.example.com>".parse().unwrap());
    assert_eq!(settings.cors_origins, ["https://a.example.com", "http://localhost:3000"]);
    let proxies: Vec<String> = settings.trusted_proxies.iter().map(ToString::to_string).collect();
    let expected = ["10.0.0.1/32", "::1/128", "172.16.0.0/12", "2001:db8::/32", "192.0.2.0/24", "192.0.2.7/32"];
    assert_eq!(proxies, expected);
    assert_eq!((settings.rate.per_minute, settings.rate.burst), (300, 7));
    assert_eq!((settings.read_rate.per_minute, settings.read_rate.burst), (3_000, 70));
    assert_eq!((settings.email_rate.per_minute, settings.email_rate.burst), (3, 9));
    assert_eq!(settings.write_timeout, Duration::from_secs(7));
    assert_eq!(settings.queue_delay, Duration::ZERO);
    let said = |text: &str| Some(text.to_owned());
    let contact = ShopContact {
        name: said("Driveline"),
        company: said("Vale Parts LLC"),
        email: said("support@vale.example"),
        phone: said("+1 (202) 555-0143"),
        address: said("7 Camshaft Bay, Gearton, OH 43000"),
        support_hours: said("Around the clock"),
    };
    assert_eq!(settings.contact, contact);
    assert_eq!(settings.log.to_string(), "debug");
}

#[test]
fn an_empty_environment_reports_all_required_settings_together() {
    let complaints = serve(&|_: &str| None).unwrap_err();
    let named: Vec<&str> = complaints.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(
        named,
        [
            "DATABASE_URL",
            "PUBLIC_URL",
            "TOKEN_SECRET",
            "STRIPE_SECRET_KEY",
            "STRIPE_PUBLISHABLE_KEY",
            "STRIPE_WEBHOOK_SECRET"
        ]
    );
    assert!(complaints.iter().all(|line| line.contains("is not set") && !line.contains('\n')), "{complaints:?}");
}

#[test]
fn an_unfilled_line_of_the_example_is_a_missing_setting() {
    assert!(complaint(&[("TOKEN_SECRET", "")]).starts_with("TOKEN_SECRET is not set"));
    assert!(complaint(&[("DATABASE_URL", "  ")]).starts_with("DATABASE_URL is not set"));
}

#[test]
fn an_invalid_setting_is_reported_once_by_name() {
    for (name, value) in [
        ("DATABASE_URL", "mysql://localhost/driveline"),
        ("DATABASE_URL", "postgres://"),
        ("DATABASE_POOL", "0"),
        ("DATABASE_POOL", "many"),
        ("HOST", "shop.example.com"),
        ("PORT", "80a"),
        ("PORT", "65536"),
        ("METRICS_ADDR", "9464"),
        ("METRICS_ADDR", "localhost:9464"),
        ("PUBLIC_URL", "shop.example.com"),
        ("PUBLIC_URL", "ftp://shop.example.com"),
        ("PUBLIC_URL", "https://shop.example.com/parts"),
        ("PUBLIC_URL", "https://user:pass@shop.example.com"),
        ("TOKEN_SECRET", "0123456789abcdef0123456789abcde"),
        ("TOKEN_SECRET_PREVIOUS", "short"),
        ("TOKEN_SECRET_PREVIOUS", "0123456789abcdef0123456789abcdef"),
        ("STRIPE_SECRET_KEY", "pk_test_51public"),
        ("STRIPE_SECRET_KEY", "sk_test_"),
        ("STRIPE_PUBLISHABLE_KEY", "sk_test_51secret"),
        ("STRIPE_WEBHOOK_SECRET", "signing"),
        ("STRIPE_API_BASE", "api.stripe.com"),
        ("GOOGLE_CLIENT_ID", "client"),
        ("GOOGLE_CLIENT_SECRET", "secret"),
        ("GOOGLE_ISSUER", "https://accounts.google.com"),
        ("GOOGLE_ISSUER", "accounts.google.com"),
        ("IMGBB_API_BASE", "https://api.imgbb.com"),
        ("MAIL_FROM", "orders@shop.example.com"),
        ("MAIL_FROM", "Driveline"),
        ("SMTP_URL", "mail.example.com"),
        ("OUTGOING_WEBHOOKS_ALLOW_PRIVATE", "yes"),
        ("CORS_ORIGINS", "*"),
        ("CORS_ORIGINS", "https://a.example.com/"),
        ("CORS_ORIGINS", "https://a.example.com/shop"),
        ("CORS_ORIGINS", "https://a.example.com,null"),
        ("TRUSTED_PROXIES", "10.0.0.0/33"),
        ("TRUSTED_PROXIES", "proxy.example.com"),
        ("RATE_LIMIT_PER_SECOND", "0"),
        ("RATE_LIMIT_BURST", "-1"),
        ("READ_LIMIT_PER_SECOND", "0"),
        ("EMAIL_LIMIT_PER_MINUTE", "0"),
        ("EMAIL_LIMIT_BURST", "none"),
        ("WRITE_TIMEOUT_SECONDS", "0"),
        ("QUEUE_DELAY_MS", "10001"),
        ("QUEUE_DELAY_MS", "-1"),
        ("READ_LIMIT_BURST", "many"),
        ("SHOP_COMPANY", "Two\nlines"),
        ("SHOP_COMPANY", &"c".repeat(121)),
        ("SHOP_EMAIL", "Driveline <support@shop.example.com>"),
        ("SHOP_PHONE", "call us"),
        ("SHOP_PHONE", "555"),
        ("SHOP_PHONE", "202 555 0143 + 7"),
        ("SHOP_ADDRESS", &"a".repeat(301)),
        ("SHOP_HOURS", "9 to 5\u{7}"),
        ("RUST_LOG", "driveline=loud"),
    ] {
        let line = complaint(&[(name, value)]);
        assert!(line.starts_with(name), "{name}={value}: {line}");
    }
}

#[test]
fn webhooks_reach_only_the_public_internet_unless_configured_otherwise() {
    for (typed, reach) in
        [(None, NetworkPolicy::Public), (Some("false"), NetworkPolicy::Public), (Some("true"), NetworkPolicy::Anywhere)]
    {
        let changes: Vec<_> = typed.map(|typed| ("OUTGOING_WEBHOOKS_ALLOW_PRIVATE", typed)).into_iter().collect();
        assert_eq!(serve(&environment(&changes)).unwrap().webhook_network, reach);
    }
}

#[test]
fn contradicting_settings_are_reported() {
    let live_secret = ("STRIPE_SECRET_KEY", "sk_live_51secret");
    let live_public = ("STRIPE_PUBLISHABLE_KEY", "pk_live_51public");
    assert!(
        complaint(&[live_public]).contains("STRIPE_SECRET_KEY is a test key, and STRIPE_PUBLISHABLE_KEY a live one")
    );
    assert!(
        complaint(&[live_secret]).contains("STRIPE_SECRET_KEY is a live key, and STRIPE_PUBLISHABLE_KEY a test one")
    );
    assert!(complaints(&[live_secret, live_public]).is_empty());
    assert!(complaints(&[("STRIPE_SECRET_KEY", "rk_live_51secret"), live_public]).is_empty());
    let elsewhere = ("STRIPE_API_BASE", "http://127.0.0.1:12111");
    assert!(complaint(&[live_secret, live_public, elsewhere]).contains("would send it to http://127.0.0.1:12111"));
    let plain = ("PUBLIC_URL", "http://shop.example.com");
    assert!(complaint(&[live_secret, live_public, plain]).contains("PUBLIC_URL is not https"));
    assert!(complaints(&[plain]).is_empty());
    let server = ("SMTP_URL", "smtp://mail.example.com");
    assert!(complaint(&[server]).starts_with("MAIL_FROM is not set"));
    assert!(complaint(&[server, ("MAIL_FROM", "Driveline")]).starts_with("MAIL_FROM is \"Driveline\""));
    assert!(complaint(&[("MAIL_FROM", "a@b.example")]).contains("SMTP_URL is not"));
    assert!(
        complaint(&[("TOKEN_SECRET", ""), ("TOKEN_SECRET_PREVIOUS", SOUND[2].1)]).starts_with("TOKEN_SECRET_PREVIOUS")
    );
}

#[test]
fn a_long_but_guessable_token_secret_is_refused() {
    for secret in ["a".repeat(32), "secret".repeat(8), "ab".repeat(40), "12345678901234567890123456789012".to_owned()] {
        let line = complaint(&[("TOKEN_SECRET", &secret)]);
        assert!(line.starts_with("TOKEN_SECRET is too easy to guess") && !line.contains(&secret), "{line}");
    }
    // What `openssl rand` makes, as hexadecimal digits and as base64, and a sentence.
    for secret in [
        "5f1d7c0a9b3e4462881c0fd2a7e69b35",
        "tYh3zRkq0+7bVnXw1cLd9sFgJ2uEoP5mA8iKyQ4rTZk=",
        "a long sentence that nobody else has written down",
    ] {
        assert!(complaints(&[("TOKEN_SECRET", secret)]).is_empty(), "{secret}");
    }
    let weak = "a".repeat(32);
    assert!(complaints(&[("TOKEN_SECRET_PREVIOUS", &weak)]).is_empty(), "a weak previous secret is accepted");
}

#[test]
fn a_remote_database_without_a_verified_certificate_causes_a_warning() {
    let warned = |url: &str| serve(&environment(&[("DATABASE_URL", url)])).unwrap().database.warning().is_some();
    for url in [
        "postgres://a:b@db.example.com/driveline",
        "postgres://a:b@192.0.2.7:5432/driveline?sslmode=require",
        "postgres://a:b@db.example.com/driveline?sslmode=prefer",
    ] {
        assert!(warned(url), "{url}");
    }
    for url in [
        "postgres://a:b@db.example.com/driveline?sslmode=verify-full",
        "postgres://a:b@db.example.com/driveline?connect_timeout=5&sslmode=verify-ca",
        "postgres://a:b@127.0.0.1/driveline",
        "postgres://a:b@[::1]/driveline",
        "postgres://a:b@localhost/driveline",
        "postgres://a:b@database:5432/driveline",
        "postgres:///driveline?host=/var/run/postgresql",
    ] {
        assert!(!warned(url), "{url}");
    }
}

#[test]
fn no_secret_is_ever_repeated() {
    let secrets = [
        ("DATABASE_URL", "mysql://root:s3cr3t-value@localhost/driveline"),
        ("TOKEN_SECRET", "s3cr3t-value"),
        ("TOKEN_SECRET_PREVIOUS", "other-s3cr3t"),
        ("STRIPE_SECRET_KEY", "s3cr3t-value"),
        ("STRIPE_WEBHOOK_SECRET", "s3cr3t-value"),
        ("GOOGLE_CLIENT_SECRET", "s3cr3t-value"),
        ("SMTP_URL", "http://shop:s3cr3t-value@mail.example.com"),
    ];
    let complaints = complaints(&secrets);
    assert_eq!(complaints.len(), secrets.len(), "{complaints:?}");
    assert!(!format!("{complaints:?}").contains("s3cr3t"), "{complaints:?}");
    let sound = serve(&environment(&[("IMGBB_API_KEY", "s3cr3t-value"), ("DATABASE_URL", "postgres://a:s3cr3t@b/c")]));
    assert!(!format!("{sound:?}").contains("s3cr3t"));
    let mail = [("SMTP_URL", "smtps://shop:s3cr3t@mail.example.com"), ("MAIL_FROM", "a@b.example")];
    let sound = serve(&environment(&mail)).unwrap();
    assert!(!format!("{sound:?}").contains("s3cr3t"));
    assert!(!format!("{sound:?}").contains("0123456789abcdef"));
}

#[test]
fn a_setting_that_is_not_text_is_reported() {
    let not_text = |name: &str| (name == "PUBLIC_URL").then(|| OsString::from_vec(vec![0xff, 0xfe]));
    let complaints = serve(&not_text).unwrap_err();
    assert_eq!(
        complaints.iter().filter(|line| line.starts_with("PUBLIC_URL")).collect::<Vec<_>>(),
        ["PUBLIC_URL is not text"]
    );
}

#[test]
fn a_demo_needs_nothing_and_refuses_a_short_secret() {
    let settings = demo(&|_: &str| None).unwrap();
    assert!(settings.token_keys.is_none());
    let given = demo(&|name: &str| (name == "TOKEN_SECRET").then(|| SOUND[2].1.into())).unwrap();
    assert!(given.token_keys.is_some());
    let refused = demo(&|name: &str| (name == "TOKEN_SECRET").then(|| "short".into())).unwrap_err();
    assert_eq!(refused, ["TOKEN_SECRET is too short: 5 bytes, and at least 32 are needed"]);
}

#[test]
fn a_demo_ignores_the_settings_of_serve() {
    let settings = demo(&environment(&[("GOOGLE_CLIENT_ID", "client"), ("PORT", "no port")])).unwrap();
    assert_eq!(settings.rate.per_minute, DEMO_RATE.per_minute);
}

#[test]
fn a_lower_rate_lowers_the_burst_too() {
    let settings = serve(&environment(&[("RATE_LIMIT_PER_SECOND", "3")])).unwrap();
    assert_eq!((settings.rate.per_minute, settings.rate.burst), (180, 30));
}

#[test]
fn the_search_engine_has_a_web_address_that_is_never_shown_with_its_password() {
    assert!(serve(&environment(&[])).unwrap().search.is_none());
    let settings = serve(&environment(&[("SEARCH_URL", "https://shop:s3cr3t@search.example.com:9200")])).unwrap();
    assert_eq!(settings.search.as_ref().unwrap().to_string(), "https://search.example.com:9200");
    assert!(!format!("{settings:?}").contains("s3cr3t"));
    for wrong in ["search.example.com:9200", "ftp://shop:s3cr3t@search", "http://shop:s3cr3t@/"] {
        let complaint = complaint(&[("SEARCH_URL", wrong)]);
        assert!(complaint.starts_with("SEARCH_URL has to be an http(s) address"), "{complaint}");
        assert!(!complaint.contains("s3cr3t"), "{complaint}");
    }
}
