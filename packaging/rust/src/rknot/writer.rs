// SPDX-License-Identifier: GPL-3.0-or-later
use super::saturation_metadata::SaturationMaps;
use super::{ALIGNMENT, MAGIC, MAJOR, MAPS_KEY, MINOR, START_BYTES};
use crate::error::Result;
use serde_json::{Map, Value};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Removes the file under its name unless it was given up.
struct Scratch(Option<PathBuf>);

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = fs::remove_file(path);
        }
    }
}

/// Writes a file whole or not at all. `tensors`: a file and where its tensors begin.
pub fn write_knot(
    target: &Path,
    fields: &Map<String, Value>,
    maps: Option<&SaturationMaps>,
    tensors: Option<(&Path, u64)>,
) -> Result<()> {
    let mut header = fields.clone();
    if let Some(maps) = maps {
        let maps = serde_json::to_value(maps).expect("maps have no keys that JSON lacks");
        header.insert(MAPS_KEY.into(), maps);
    }
    let text = serde_json::to_vec(&header).expect("a JSON value is JSON");
    let mut name = target.as_os_str().to_owned();
    name.push(".partial");
    let mut scratch = Scratch(Some(PathBuf::from(name)));
    let partial = scratch.0.clone().expect("just made");
    let mut file = File::create(&partial)?;
    file.write_all(MAGIC)?;
    file.write_all(&MAJOR.to_le_bytes())?;
    file.write_all(&MINOR.to_le_bytes())?;
    file.write_all(&(text.len() as u64).to_le_bytes())?;
    file.write_all(&text)?;
    if let Some((source, begin)) = tensors {
        let end = START_BYTES + text.len() as u64;
        file.write_all(&vec![0; (end.next_multiple_of(ALIGNMENT) - end) as usize])?;
        let mut source = File::open(source)?;
        source.seek(SeekFrom::Start(begin))?;
        std::io::copy(&mut source, &mut file)?;
    }
    file.sync_all()?;
    fs::rename(&partial, target)?;
    scratch.0 = None;
    Ok(())
}
