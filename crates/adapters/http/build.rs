//! Builds the client's files in again whenever they change, and makes sure that there is a folder to look in.

use std::path::Path;

fn main() {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../frontend/dist");
    // Without a built client the program still builds and says so in the browser.
    if let Err(error) = std::fs::create_dir_all(&dist) {
        println!("cargo::warning=no folder for the web client: {error}");
    }
    println!("cargo::rerun-if-changed={}", dist.display());
}
