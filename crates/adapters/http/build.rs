//! Rebuilds when the web client's files change, and makes sure that the folder to embed exists.

use std::path::Path;

fn main() {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../frontend/dist");
    // Without a built client the program still compiles and says so in the browser.
    if let Err(error) = std::fs::create_dir_all(&dist) {
        println!("cargo::warning=no folder for the web client: {error}");
    }
    println!("cargo::rerun-if-changed={}", dist.display());
}
