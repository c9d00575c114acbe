//! Where pictures are stored.

use std::path::PathBuf;

use secrecy::SecretString;

use super::reader::{EnvReader, is_web};

/// The image host whose API the shop uses.
const IMGBB: &str = "https://api.imgbb.com";

/// Where pictures are stored.
#[derive(Debug)]
pub(crate) enum Images {
    /// On an image host.
    Host {
        /// The address of its API.
        base: String,
        /// The shop's API key.
        key: SecretString,
    },
    /// In a folder of the shop's own.
    Folder(PathBuf),
}

impl EnvReader<'_> {
    pub(super) fn images(&mut self) -> Images {
        let key = self.secret("IMGBB_API_KEY");
        let base = self.parsed("IMGBB_API_BASE", "an http(s) address", |typed| is_web(typed).then(|| typed.to_owned()));
        let folder = self.text("DATA_DIR").map_or_else(|| PathBuf::from(".data"), PathBuf::from);
        match (key, base) {
            (Some(key), base) => Images::Host { base: base.unwrap_or_else(|| IMGBB.to_owned()), key },
            (None, base) => {
                if base.is_some() {
                    self.complain("IMGBB_API_BASE is set, and IMGBB_API_KEY is not");
                }
                Images::Folder(folder.join("images"))
            }
        }
    }
}
