//! Who visits, and how little of it is kept: no address, and nobody is known from one day to the next.

pub mod anonymiser;
pub mod country;
pub mod keys;
