//! The migrations are embedded from outside of this crate, where Cargo would not look for changes by itself.

fn main() {
    println!("cargo:rerun-if-changed=../../../migrations");
}
