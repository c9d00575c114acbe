//! Which part fits which vehicle, on the wire. The vehicles themselves are public data that the program carries.

pub(crate) mod by_hand;
pub(crate) mod coverage;
pub(crate) mod fit;
pub(crate) mod ranges;
pub(crate) mod set;
pub(crate) mod vehicles;
pub(crate) mod view;
pub(crate) mod wanted;
