//! The pages that everybody may read, and the files by which search engines find them.

use serde_json::{Value, json};

use crate::fixtures::{add, admin, draft, unique};
use crate::server::{Answer, Call, call, delete, get, post, put, run};

const HTML: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

/// A page as a browser asks for it.
fn page(path: impl Into<String>) -> Call {
    get(path).header("accept", HTML)
}

/// A part with a brand and a number of its own, its name, and its id.
async fn branded(name: &str) -> (Value, String) {
    let nth = unique();
    let mut sent = draft(500, 129.5);
    sent["name"] = json!(name);
    sent["brand"] = json!(format!("Pagebrand {nth}"));
    sent["partNumber"] = json!(format!("PG-{nth}.A"));
    let id = add(&sent).await;
    (sent, id)
}

/// The path of a part's page, by the redirect from its id.
async fn path_of(id: &str) -> String {
    let led = page(format!("/parts/{id}")).await.is(301);
    led.header("location").to_owned()
}

/// What stands between two texts.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    text.split_once(start).unwrap_or_else(|| panic!("no {start} in {text}")).1.split_once(end).unwrap().0
}

/// What a page says as JSON-LD, by its type.
fn data(page: &Answer, kind: &str) -> Value {
    let text = page.text();
    let elements = text.split("<script type=\"application/ld+json\">").skip(1);
    let parsed = elements.map(|rest| serde_json::from_str::<Value>(rest.split_once("</script>").unwrap().0).unwrap());
    let mut found = parsed.filter(|value| value["@type"] == kind);
    let value = found.next().unwrap_or_else(|| panic!("no {kind} in {text}"));
    assert!(found.next().is_none());
    value
}

/// The address of the shop as it is configured.
async fn shop() -> String {
    let robots = get("/robots.txt").await.is(200).text();
    between(&robots, "Sitemap: ", "/sitemap.xml").to_owned()
}

/// A part of which much is known, and its id.
async fn well_known(nth: u32) -> (Value, String) {
    let mut sent = draft(500, 129.5);
    sent["name"] = json!(format!("Vented disc {nth}"));
    sent["description"] = json!("Cast, balanced and coated.\nSold one by one.");
    sent["brand"] = json!(format!("Pagebrand {nth}"));
    sent["partNumber"] = json!(format!("0 986.{nth}-B12"));
    sent["partType"] = json!("Brake disc");
    sent["universal"] = json!(true);
    sent["weight"] = json!(9250);
    sent["attributes"] = json!([{"name": "Page diameter", "value": 312, "unit": "mm"}]);
    let id = add(&sent).await;
    let numbers = json!({"numbers": [
        {"kind": "gtin", "number": "4006381333931"},
        {"kind": "gtin", "number": "2012345678903"},
        {"kind": "oe", "number": "4B0 615 301", "brand": "Audi"},
        {"kind": "supplier", "number": "SECRET-1"},
    ]});
    admin().await.send(put(format!("/products/{id}/numbers"), &numbers)).await.is(200);
    (sent, id)
}

#[test]
fn a_parts_page_says_all_that_is_known_of_it_without_any_script() {
    run(async {
        let nth = unique();
        let (_, id) = well_known(nth).await;
        let path = format!("/parts/pagebrand-{nth}-0-986-{nth}-b12-vented-disc-{nth}");
        assert_eq!(path_of(&id).await, path);
        let answer = page(&path).await.is(200);
        assert!(answer.header("content-type").starts_with("text/html"), "{answer}");
        let text = answer.text();
        for said in [
            format!(">Vented disc {nth}</h1>"),
            "Cast, balanced and coated.".to_owned(),
            "$129.50".to_owned(),
            "In stock".to_owned(),
            "Minimum order 50 units · 500 in stock".to_owned(),
            "9.25 kg".to_owned(),
            "Page diameter".to_owned(),
            "312 mm".to_owned(),
            "Fits all vehicles".to_owned(),
            "4B0 615 301".to_owned(),
            "4006381333931".to_owned(),
            format!("href=\"/product/{id}\">Purchase</a>"),
            "href=\"/shop/brakes\">Brake Parts</a>".to_owned(),
        ] {
            assert!(text.contains(&said), "{said} in {text}");
        }
        assert!(!text.contains("SECRET-1") && !text.contains("needs JavaScript"), "{text}");
    });
}

#[test]
fn programs_learn_from_a_parts_page_what_it_is_and_what_it_costs() {
    run(async {
        let nth = unique();
        let (sent, id) = well_known(nth).await;
        let path = path_of(&id).await;
        let answer = page(&path).await.is(200);
        let text = answer.text();
        let shop = shop().await;
        let address = format!("{shop}{path}");
        let title = between(&text, "<title>", "</title>");
        assert_eq!(title, format!("Pagebrand {nth} 0 986.{nth}-B12 Vented disc {nth} | Driveline"));
        let description = between(&text, "<meta name=\"description\" content=\"", "\"");
        assert_eq!(description, "$129.50 each, from 50 units. Cast, balanced and coated. Sold one by one.");
        assert_eq!(between(&text, "<link rel=\"canonical\" href=\"", "\""), address);
        assert_eq!(between(&text, "property=\"og:url\" content=\"", "\""), address);
        assert_eq!(between(&text, "property=\"og:type\" content=\"", "\""), "product");
        assert_eq!(between(&text, "property=\"og:image\" content=\"", "\""), sent["img"].as_str().unwrap());
        assert_eq!(text.matches("<title>").count(), 1);
        assert_eq!(text.matches("name=\"description\"").count(), 1);
        assert!(!text.contains("noindex"));

        let product = data(&answer, "Product");
        for (field, expected) in [
            ("name", json!(format!("Vented disc {nth}"))),
            ("url", json!(address)),
            ("mpn", json!(format!("0 986.{nth}-B12"))),
            ("gtin", json!("4006381333931")),
            ("image", json!([sent["img"]])),
        ] {
            assert_eq!(product[field], expected, "{field}");
        }
        assert_eq!(product["brand"]["name"], format!("Pagebrand {nth}"));
        let offer = &product["offers"];
        assert_eq!((&offer["price"], &offer["priceCurrency"]), (&json!("129.50"), &json!("USD")));
        assert_eq!(offer["availability"], "https://schema.org/InStock");
        assert_eq!(offer["eligibleQuantity"]["minValue"], 50);
        let trail = data(&answer, "BreadcrumbList");
        let names: Vec<&str> =
            trail["itemListElement"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["Home", "Shop", "Brake Parts", &format!("Vented disc {nth}")]);
        assert_eq!(trail["itemListElement"][2]["item"], format!("{shop}/shop/brakes"));
    });
}

#[test]
fn a_page_is_cached_compressed_and_allowed_by_its_policy() {
    run(async {
        let (_, id) = branded("Cached disc").await;
        let path = path_of(&id).await;
        let plain = page(&path).await.is(200);
        assert_eq!(plain.header("cache-control"), "public, no-cache");
        let packed = page(&path).header("accept-encoding", "gzip, deflate, br").await.is(200);
        assert_eq!((packed.header("content-encoding"), packed.header("vary")), ("br", "accept-encoding"));
        assert_eq!(packed.text(), plain.text());
        page(&path).header("if-none-match", plain.header("etag")).await.is(304);
        call("HEAD", &path).header("accept", HTML).await.is(200);
        // One inline style and one inline script, which the policy names; what is data is no script.
        let text = plain.text();
        assert_eq!((text.matches("<style").count(), text.matches("<script>").count()), (1, 1));
        assert_eq!(text.matches("<script type=\"application/ld+json\">").count(), 2);
        for tag in text.split('<').filter_map(|piece| piece.split('>').next()) {
            assert!(!tag.contains(" style=") && !tag.contains(" onload=") && !tag.contains(" onerror="), "{tag}");
        }
        let policy = plain.header("content-security-policy");
        assert!(policy.contains("script-src 'self' 'sha256-") && !policy.contains("unsafe"), "{policy}");
        assert!(packed.body.len() < 14 * 1024, "{}", packed.body.len());
        let edited = json!({"price": 130, "seen": {"price": 129.5}});
        admin().await.send(call("PATCH", format!("/products/{id}")).json(&edited)).await.is(200);
        let changed = page(&path).header("if-none-match", plain.header("etag")).await.is(200);
        assert!(changed.text().contains("$130.00"));
    });
}

#[test]
fn what_admins_type_cannot_become_markup() {
    run(async {
        let nth = unique();
        let hostile = format!("\"><script>alert({nth})</script><!--{{{{7*7}}}}' & </title>");
        let mut sent = draft(500, 10.0);
        sent["name"] = json!(hostile);
        sent["description"] = json!(hostile);
        sent["brand"] = json!(format!("B\"<b>{nth}"));
        sent["partNumber"] = json!(format!("N<i>{nth}"));
        sent["attributes"] = json!([{"name": format!("<u>{nth}"), "value": hostile}]);
        let id = add(&sent).await;
        let numbers = json!({"numbers": [{"kind": "oe", "number": format!("O<s>{nth}"), "note": hostile}]});
        admin().await.send(put(format!("/products/{id}/numbers"), &numbers)).await.is(200);
        let path = path_of(&id).await;
        assert!(path.bytes().all(|sign| sign.is_ascii_alphanumeric() || b"/-".contains(&sign)), "{path}");
        let answer = page(&path).await.is(200);
        let text = answer.text();
        for tag in ["<script>alert", "<b>", "<i>", "<u>", "<s>", "<!--{"] {
            assert!(!text.contains(tag), "{tag} in {text}");
        }
        assert_eq!(data(&answer, "Product")["name"], hostile);
        let feed = get("/feeds/google.xml").await.is(200).text();
        assert!(!feed.contains("<script") && feed.contains(&format!("alert({nth})")));
    });
}

#[test]
fn an_old_address_leads_to_the_new_one() {
    run(async {
        let (sent, id) = branded("Old name").await;
        let old = path_of(&id).await;
        assert!(old.ends_with("-old-name"), "{old}");
        let renamed = json!({"name": "New name", "seen": {"name": "Old name"}});
        admin().await.send(call("PATCH", format!("/products/{id}")).json(&renamed)).await.is(200);
        let new = path_of(&id).await;
        assert_eq!(new, old.replace("old-name", "new-name"));
        for path in [&old, &old.to_uppercase().replace("/PARTS/", "/parts/"), &old.replace("-old-name", "")] {
            let led = page(path).await.is(301);
            assert_eq!(led.header("location"), new, "{path}");
        }
        page(&new).await.is(200);
        // A part without a brand or a number has a page, too.
        let mut bare = draft(500, 10.0);
        bare["name"] = json!("Bare disc");
        bare["partNumber"] = Value::Null;
        let id = add(&bare).await;
        let path = path_of(&id).await;
        let no = path.strip_prefix("/parts/bare-disc-p").unwrap();
        assert!(no.parse::<u32>().is_ok(), "{path}");
        page(&path).await.is(200);
        assert_eq!(page(format!("/parts/anything-p{no}")).await.is(301).header("location"), path);
        assert_eq!(sent["name"], "Old name");
    });
}

#[test]
fn an_unknown_part_is_404_and_one_that_is_not_sold_any_more_410_with_the_way_on() {
    run(async {
        for path in [
            "/parts/nothing-of-the-kind",
            "/parts/x-p99999999",
            "/parts/0199f3a0-0000-7000-8000-000000000000",
            "/parts/%F0%9F%9A%97",
            "/parts/%22%3E%3Cscript%3E",
            "/shop/nothing",
            "/shop/BRAKES",
        ] {
            let missing = page(path).await.is(404);
            let text = missing.text();
            assert!(text.contains("We don&#39;t know this page") && text.contains("noindex"), "{text}");
            assert!(!text.contains("rel=\"canonical\""), "{text}");
            let problem = get(path).header("accept", "application/json").await.is(404);
            assert_eq!(problem.header("content-type"), "application/problem+json");
        }

        let (sent, old) = branded("Worn out").await;
        let path = path_of(&old).await;
        let admin = admin().await;
        admin.send(delete(format!("/products/{old}"))).await.is(200);
        let gone = page(&path).await.is(410).text();
        assert!(gone.contains("This part is no longer sold") && gone.contains("href=\"/shop\""), "{gone}");
        assert!(gone.contains("noindex"), "{gone}");
        get(&path).header("accept", "application/json").await.is(410);

        let mut newer = sent.clone();
        newer["name"] = json!("Newer");
        newer["partNumber"] = json!(format!("{}-NEW", sent["partNumber"].as_str().unwrap()));
        let new = add(&newer).await;
        let numbers = json!({"numbers": [{"kind": "superseded", "number": sent["partNumber"]}]});
        admin.send(put(format!("/products/{new}/numbers"), &numbers)).await.is(200);
        let replaced = page(&path).await.is(410).text();
        let on = path_of(&new).await;
        assert!(replaced.contains("This part has been replaced"), "{replaced}");
        assert!(replaced.contains(&format!("href=\"{on}\"")), "{replaced}");
        let problem = get(&path).header("accept", "application/json").await.is(410).json();
        assert_eq!(problem["replacedBy"], new);
    });
}

#[test]
fn addresses_are_the_configured_ones_whatever_the_request_calls_the_shop() {
    run(async {
        let (_, id) = branded("Hosted disc").await;
        let path = path_of(&id).await;
        let shop = shop().await;
        for host in ["localhost:1", "127.0.0.1"] {
            let text = page(&path).header("host", host).await.is(200).text();
            assert_eq!(between(&text, "<link rel=\"canonical\" href=\"", "\""), format!("{shop}{path}"));
        }
        // The screen on which it is ordered names the page that search engines list.
        let screen = page(format!("/product/{id}")).await.is(200);
        assert_eq!(screen.header("link"), format!("<{shop}{path}>; rel=\"canonical\""));
        assert_eq!(page("/product/0199f3a0-0000-7000-8000-000000000000").await.is(200).header("link"), "");
    });
}

#[test]
fn a_category_has_a_landing_page_that_lists_its_parts() {
    run(async {
        let (_, id) = branded("Landing disc").await;
        let path = path_of(&id).await;
        let landing = page("/shop/brakes").await.is(200);
        let text = landing.text();
        assert!(text.contains("Brake Parts</h1>") && text.contains(&format!("href=\"{path}\"")), "{text}");
        assert!(text.contains("<title>Brake Parts | Driveline</title>"), "{text}");
        let shop = shop().await;
        assert_eq!(between(&text, "<link rel=\"canonical\" href=\"", "\""), format!("{shop}/shop/brakes"));
        let list = data(&landing, "CollectionPage");
        let listed = list["mainEntity"]["itemListElement"].as_array().unwrap();
        assert!(listed.iter().any(|item| item["url"] == format!("{shop}{path}")), "{list}");
        assert!(listed.len() <= 48);
        let followed = page(path).await.is(200);
        assert_eq!(data(&followed, "Product")["category"], "Brake Parts");
    });
}

#[test]
fn a_vehicle_has_a_landing_page_with_the_parts_that_fit_it() {
    run(async {
        let (_, id) = branded("Fitting disc").await;
        let path = path_of(&id).await;
        page("/vehicles/isuzu/impulse/1987").await.is(404);
        let sent = json!({"fitments": [
            {"make": "Isuzu", "model": "Impulse", "yearFrom": 1986, "yearTo": 1987, "position": "front"},
        ]});
        admin().await.send(put(format!("/products/{id}/fitments"), &sent)).await.is(200);
        let shop = shop().await;
        let landing = page("/vehicles/isuzu/impulse/1987").await.is(200);
        let text = landing.text();
        assert!(text.contains("<title>1987 Isuzu IMPULSE parts | Driveline</title>"), "{text}");
        assert!(text.contains(&format!("href=\"{path}\"")), "{text}");
        assert!(text.contains("href=\"/vehicles/isuzu/impulse/1986\""), "{text}");
        let address = format!("{shop}/vehicles/isuzu/impulse/1987");
        assert_eq!(between(&text, "<link rel=\"canonical\" href=\"", "\""), address);
        let trail = data(&landing, "BreadcrumbList");
        assert_eq!(trail["itemListElement"][3]["item"], format!("{shop}/vehicles/isuzu/impulse"));
        let model = page("/vehicles/isuzu/impulse").await.is(200).text();
        assert!(model.contains("href=\"/vehicles/isuzu/impulse/1987\"") && !model.contains("1988"), "{model}");
        let make = page("/vehicles/isuzu").await.is(200).text();
        assert!(make.contains("href=\"/vehicles/isuzu/impulse\""), "{make}");
        for nothing in
            ["/vehicles/isuzu/impulse/1988", "/vehicles/isuzu/nothing", "/vehicles/nobody", "/vehicles/isuzu/impulse/x"]
        {
            page(nothing).await.is(404);
        }
        // Calls keep their names.
        get("/vehicles/years").await.is(200).json();

        let part = page(&path).await.is(200);
        let text = part.text();
        assert!(text.contains("href=\"/vehicles/isuzu/impulse\">Isuzu IMPULSE 1986–1987 · front"), "{text}");
        let fits = data(&part, "Product")["isAccessoryOrSparePartFor"].clone();
        assert_eq!(fits[0], json!({"@type": "Vehicle", "name": "Isuzu IMPULSE 1986–1987"}));
        let listed = get("/sitemaps/vehicles.xml").await;
        assert!(matches!(listed.status, 200), "{listed}");
        admin().await.send(delete(format!("/products/{id}"))).await.is(200);
        page("/vehicles/isuzu/impulse/1987").await.is(404);
    });
}

#[test]
fn search_engines_find_where_everything_is() {
    run(async {
        let (_, id) = branded("Listed disc").await;
        let path = path_of(&id).await;
        let robots = get("/robots.txt").await.is(200);
        assert!(robots.header("content-type").starts_with("text/plain"));
        let text = robots.text();
        assert!(text.starts_with("User-agent: *\n"), "{text}");
        for kept_out in ["/dashboard", "/login?", "/auth/", "/orders", "/products", "/user"] {
            assert!(text.contains(&format!("Disallow: {kept_out}\n")), "{kept_out}: {text}");
        }
        let shop = shop().await;
        let index = get("/sitemap.xml").await.is(200);
        assert!(index.header("content-type").starts_with("application/xml"));
        let text = index.text();
        assert!(text.contains("<sitemapindex") && text.contains("<lastmod>"), "{text}");
        let locations: Vec<&str> = text.split("<loc>").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
        assert!(locations.contains(&format!("{shop}/sitemaps/shop.xml").as_str()), "{locations:?}");
        assert!(locations.contains(&format!("{shop}/sitemaps/parts-1.xml").as_str()), "{locations:?}");
        let parts = get("/sitemaps/parts-1.xml").await.is(200).text();
        let entry = between(&parts, &format!("<loc>{shop}{path}</loc>"), "</url>");
        let changed = between(entry, "<lastmod>", "</lastmod>");
        assert!(changed.len() == 20 && changed.ends_with('Z'), "{changed}");
        assert!(parts.trim_end().ends_with("</urlset>"), "{parts}");
        assert!(parts.matches("<url>").count() <= 50_000);
        let own = get("/sitemaps/shop.xml").await.is(200).text();
        assert!(own.contains(&format!("<loc>{shop}/shop/brakes</loc>")), "{own}");
        for missing in ["parts-0.xml", "parts-2.xml", "parts-99999999999.xml", "parts-x.xml", "x"] {
            get(format!("/sitemaps/{missing}")).await.is(404);
        }
        admin().await.send(delete(format!("/products/{id}"))).await.is(200);
        assert!(!get("/sitemaps/parts-1.xml").await.is(200).text().contains(&path));
    });
}

#[test]
fn when_a_part_changed_is_said_and_orders_change_nothing_of_it() {
    run(async {
        let (_, id) = branded("Dated disc").await;
        let path = path_of(&id).await;
        let changed = async || {
            let parts = get("/sitemaps/parts-1.xml").await.is(200).text();
            between(between(&parts, &format!("{path}</loc>"), "</url>"), "<lastmod>", "</lastmod>").to_owned()
        };
        let added = changed().await;
        tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
        let correction = json!({"delta": -1, "reason": "breakage"});
        admin().await.send(post(format!("/products/{id}/stock-corrections"), &correction)).await.is(201);
        assert_eq!(changed().await, added);
        let edited = json!({"price": 130, "seen": {"price": 129.5}});
        admin().await.send(call("PATCH", format!("/products/{id}")).json(&edited)).await.is(200);
        assert!(changed().await > added);
    });
}

#[test]
fn merchants_programs_get_every_offer_with_valid_numbers_only() {
    run(async {
        let (sent, id) = branded("Offered & disc").await;
        let numbers = json!({"numbers": [
            {"kind": "gtin", "number": "212345678909"},
            {"kind": "gtin", "number": "0412345678903"},
            {"kind": "gtin", "number": "96385074"},
        ]});
        admin().await.send(put(format!("/products/{id}/numbers"), &numbers)).await.is(200);
        let (_, restricted) = branded("Restricted disc").await;
        let own = json!({"numbers": [{"kind": "gtin", "number": "2012345678903"}]});
        admin().await.send(put(format!("/products/{restricted}/numbers"), &own)).await.is(200);
        let mut bare = draft(10, 10.0);
        bare["partNumber"] = Value::Null;
        let bare = add(&bare).await;

        let feed = get("/feeds/google.xml").await.is(200);
        assert!(feed.header("content-type").starts_with("application/xml"));
        let text = feed.text();
        assert!(text.starts_with("<?xml") && text.contains("xmlns:g=\"http://base.google.com/ns/1.0\""));
        assert!(text.trim_end().ends_with("</rss>"));
        let item = |id: &str| between(&text, &format!("<g:id>{id}</g:id>"), "</item>");
        let offered = item(&id);
        let shop = shop().await;
        for (name, expected) in [
            ("title", "Offered &#38; disc".to_owned()),
            ("link", format!("{shop}{}", path_of(&id).await)),
            ("image_link", sent["img"].as_str().unwrap().to_owned()),
            ("availability", "in_stock".to_owned()),
            ("price", "129.50 USD".to_owned()),
            ("condition", "new".to_owned()),
            ("brand", sent["brand"].as_str().unwrap().to_owned()),
            ("gtin", "96385074".to_owned()),
            ("mpn", sent["partNumber"].as_str().unwrap().to_owned()),
            ("identifier_exists", "yes".to_owned()),
            ("product_type", "Brake Parts".to_owned()),
        ] {
            assert_eq!(between(offered, &format!("<g:{name}>"), "<"), expected, "{name}");
        }
        assert!(!item(&restricted).contains("g:gtin"), "{}", item(&restricted));
        assert!(item(&restricted).contains("<g:identifier_exists>yes<"));
        let bare = item(&bare);
        assert!(bare.contains("out_of_stock") && bare.contains("<g:identifier_exists>no<"), "{bare}");
    });
}

#[test]
fn browsers_and_researchers_find_their_files() {
    run(async {
        let icon = get("/favicon.ico").await.is(200);
        assert_eq!(&icon.body[..4], [0, 0, 1, 0]);
        let manifest = get("/manifest.webmanifest").await.is(200);
        assert_eq!(manifest.header("content-type"), "application/manifest+json");
        for icon in manifest.json()["icons"].as_array().unwrap() {
            let picture = get(icon["src"].as_str().unwrap()).await.is(200);
            assert_eq!(&picture.body[1..4], b"PNG");
        }
        assert!(page("/about").await.is(200).text().contains("rel=\"manifest\""));
        let security = get("/.well-known/security.txt").await.is(200);
        assert!(security.header("content-type").starts_with("text/plain"));
        let text = security.text();
        assert!(text.contains("Contact: mailto:support@example.com\n"), "{text}");
        assert!(text.contains(&format!("Canonical: {}/.well-known/security.txt\n", shop().await)), "{text}");
        let expires: jiff::Timestamp = between(&text, "Expires: ", "\n").parse().unwrap();
        let now = jiff::fmt::rfc2822::parse(security.header("date")).unwrap().timestamp();
        let left = expires.duration_since(now).as_hours() / 24;
        assert!((100..365).contains(&left), "{left}");
    });
}
