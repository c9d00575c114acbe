//! VINs of the vehicles that customers keep. They are stored sealed, because whoever reads a copy of the database must
//! not learn them.

use domain::GarageVehicleId;
use ports::{SealedVin, VinSeal, VinText};

use crate::keys::{Derived, Purpose};
use crate::{TokenKeys, sealed_box};

/// Seals VINs with AES-256-GCM, each bound to its place in a garage, under a key that is derived from the shop's secret.
#[derive(Debug, Clone)]
pub struct VinSealer {
    keys: Derived,
}

impl VinSealer {
    /// A sealer under the shop's secret; the previous secret still opens.
    #[must_use]
    pub fn new(keys: &TokenKeys) -> Self {
        Self { keys: keys.derive(Purpose::Vin) }
    }
}

impl VinSeal for VinSealer {
    fn seal(&self, of: GarageVehicleId, vin: &VinText) -> Option<SealedVin> {
        let plain = vin.expose().as_bytes().to_vec();
        sealed_box::seal(self.keys.current()?, of.uuid().as_bytes(), plain).map(SealedVin)
    }

    fn open(&self, of: GarageVehicleId, sealed: &SealedVin) -> Option<VinText> {
        let plain = self.keys.all().find_map(|key| sealed_box::open(key, of.uuid().as_bytes(), &sealed.0))?;
        String::from_utf8(plain).ok().map(VinText::new)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const VIN: &str = "1HGCM82633A004352";

    fn sealer(current: u8, previous: Option<u8>) -> VinSealer {
        let previous = previous.map(|byte| [byte; 32]);
        VinSealer::new(&TokenKeys::new(&[current; 32], previous.as_ref().map(|p| &p[..])).unwrap())
    }

    fn place(number: u128) -> GarageVehicleId {
        GarageVehicleId::new(Uuid::from_u128(number))
    }

    #[test]
    fn a_sealed_vin_opens_only_in_its_place_and_its_shop() {
        let vin = VinText::new(VIN.to_owned());
        let sealed = sealer(1, None).seal(place(1), &vin).unwrap();
        assert!(!sealed.0.windows(VIN.len()).any(|part| part == VIN.as_bytes()));
        assert_eq!(sealer(1, None).open(place(1), &sealed).as_ref(), Some(&vin));
        assert_eq!(sealer(2, Some(1)).open(place(1), &sealed), Some(vin));
        assert_eq!(sealer(1, None).open(place(2), &sealed), None);
        assert_eq!(sealer(2, None).open(place(1), &sealed), None);
    }
}
