// SPDX-License-Identifier: GPL-3.0-or-later
//! `.knot` and `.rknot`: "KNOT", u16 major, u16 minor, u64 length, a JSON header, and tensors from the next multiple of 64 on.

pub mod encoder_config;
pub mod reader;
pub mod saturation_metadata;
pub mod writer;

pub(crate) const MAGIC: &[u8; 4] = b"KNOT";
pub(crate) const MAJOR: u16 = 1;
pub(crate) const MINOR: u16 = 0;
pub(crate) const START_BYTES: u64 = 16;
pub(crate) const ALIGNMENT: u64 = 64;
pub(crate) const MAPS_KEY: &str = "saturation_maps";
