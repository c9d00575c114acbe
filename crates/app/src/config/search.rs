//! Where the search engine is.

use opensearch::EngineAddress;

use super::reader::EnvReader;

impl EnvReader<'_> {
    /// The complaint does not repeat the address: it may have a password in it.
    pub(super) fn search(&mut self) -> Option<EngineAddress> {
        let written = self.text("SEARCH_URL")?;
        match written.parse() {
            Ok(address) => Some(address),
            Err(error) => {
                self.complain(format!("SEARCH_URL {error}"));
                None
            }
        }
    }
}
