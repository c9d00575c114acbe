//! Reads VINs, one a line, and writes what they say: number, year, make, model; for the comparison with another decoder.

use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let decoded = vehicles::vin::Vin::parse(&line).ok().map(|vin| vehicles::vin::decode(&vin));
        let reading = decoded.as_ref().and_then(|decoded| decoded.readings.first());
        match reading {
            Some(reading) => writeln!(out, "{line}\t{}\t{}\t{}", reading.year, reading.make, reading.model)?,
            None => writeln!(out, "{line}\t\t\t")?,
        }
    }
    out.flush()
}
