// SPDX-License-Identifier: GPL-3.0-or-later
use super::saturation_metadata::SaturationMaps;
use super::{ALIGNMENT, MAGIC, MAJOR, MAPS_KEY, START_BYTES};
use crate::error::{refused, MaskError, Result};
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The header of a `.knot` or `.rknot`, and where its tensors begin.
#[derive(Debug, Clone)]
pub struct KnotHeader {
    pub path: PathBuf,
    pub version: (u16, u16),
    /// Without the maps.
    pub fields: serde_json::Map<String, Value>,
    pub saturation_maps: Option<SaturationMaps>,
    /// Bytes before the tensors, at most those of the file.
    pub data_begin: u64,
}

/// Reads files without maps, and of newer minor versions, whose further fields are kept.
pub fn read_header(path: impl AsRef<Path>) -> Result<KnotHeader> {
    let path = path.as_ref();
    let at = |why: String| MaskError(format!("{}: {why}", path.display()));
    let mut file = File::open(path).map_err(|error| at(error.to_string()))?;
    let size = file.metadata()?.len();
    let mut start = [0u8; START_BYTES as usize];
    file.read_exact(&mut start)
        .map_err(|_| at("it is too short to be a .knot".into()))?;
    if &start[..4] != MAGIC {
        return refused(format!("{}: it does not begin with KNOT", path.display()));
    }
    let major = u16::from_le_bytes([start[4], start[5]]);
    let minor = u16::from_le_bytes([start[6], start[7]]);
    let length = u64::from_le_bytes(start[8..16].try_into().expect("8 bytes"));
    if major != MAJOR {
        return refused(format!(
            "{}: version {major}.{minor}; 1.x are read",
            path.display()
        ));
    }
    if length > size - START_BYTES {
        return refused(format!(
            "{}: it ends inside its header: it is truncated",
            path.display()
        ));
    }
    let mut text = vec![0; length as usize];
    file.read_exact(&mut text)?;
    let mut fields: serde_json::Map<String, Value> = serde_json::from_slice(&text)
        .map_err(|error| at(format!("its header is damaged: {error}")))?;
    let saturation_maps = match fields.remove(MAPS_KEY) {
        None | Some(Value::Null) => None,
        Some(maps) => Some(
            serde_json::from_value::<SaturationMaps>(maps)
                .map_err(|error| at(format!("its saturation_maps cannot be read: {error}")))?,
        ),
    };
    let consistent = |maps: &SaturationMaps| {
        maps.ffn_frozen_per_layer
            .values()
            .all(|mask| mask.is_consistent())
    };
    if saturation_maps
        .as_ref()
        .is_some_and(|maps| !consistent(maps))
    {
        return refused(format!(
            "{}: a mask does not fit its number of neurons",
            path.display()
        ));
    }
    let data_begin = (START_BYTES + length).next_multiple_of(ALIGNMENT).min(size);
    Ok(KnotHeader {
        path: path.into(),
        version: (major, minor),
        fields,
        saturation_maps,
        data_begin,
    })
}
