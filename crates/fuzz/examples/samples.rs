//! Writes the samples of every target for the guided fuzzer: `samples FOLDER` makes `FOLDER/TARGET/NUMBER`, and the words of each
//! in `FOLDER/TARGET.dict`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs, io};

use fuzz::TARGETS;
use fuzz::planted::PLANTED;

fn main() -> io::Result<()> {
    let Some(folder) = env::args_os().nth(1).map(PathBuf::from) else {
        return Err(io::Error::other("usage: samples FOLDER"));
    };
    for target in TARGETS.iter().chain(PLANTED.iter().map(|(target, _)| target)) {
        let samples = folder.join(target.name);
        fs::create_dir_all(&samples)?;
        for (number, sample) in (target.samples)().iter().enumerate() {
            fs::write(samples.join(format!("sample-{number}")), sample)?;
        }
        let words = target.words.iter().fold(String::new(), |mut words, word| {
            let escaped = word.bytes().fold(String::new(), |mut escaped, byte| {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\x{byte:02x}");
                escaped
            });
            let _ = writeln!(words, "\"{escaped}\"");
            words
        });
        fs::write(folder.join(format!("{}.dict", target.name)), words)?;
        println!("{}", target.name);
    }
    Ok(())
}
