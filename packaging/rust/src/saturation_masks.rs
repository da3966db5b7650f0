// SPDX-License-Identifier: GPL-3.0-or-later
//! Finds out what kind of file carries masks and reads them.

use crate::error::{refused, MaskError, Result};
use crate::mask_blob;
use crate::rknot::reader::read_header;
use crate::rknot::saturation_metadata::{LayerFrozenBitmask, SaturationMaps};
use base64::engine::general_purpose::STANDARD;
use base64::Engine;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

const BLOB_KEY: &str = "permafrost.masks";
const MODEL_KEY: &str = "permafrost.masks.model_name";
const METHOD_KEY: &str = "permafrost.masks.method";
const DATE_KEY: &str = "permafrost.masks.date";
const SIDECAR_ENDING: &str = "saturation.json";
const LONGEST_HEADER: u64 = 100_000_000;

/// Masks by layer of a `.safetensors`, `.gguf`, `.rknot` or `.saturation.json`, or of the last beside a model without its own.
pub fn load_saturation_masks(path: impl AsRef<Path>) -> Result<HashMap<u32, LayerFrozenBitmask>> {
    Ok(load_maps(path)?.ffn_frozen_per_layer)
}

/// The same with what they are of.
pub fn load_maps(path: impl AsRef<Path>) -> Result<SaturationMaps> {
    let path = path.as_ref();
    let found = read(path).map_err(|error| MaskError(format!("{}: {error}", path.display())))?;
    if let Some(maps) = found {
        return Ok(maps);
    }
    let beside = path.with_extension(SIDECAR_ENDING);
    if beside.exists() {
        return read_sidecar(&beside)
            .map_err(|error| MaskError(format!("{}: {error}", beside.display())));
    }
    refused(format!("{}: it carries no masks", path.display()))
}

impl SaturationMaps {
    /// The masks in a model file, whatever its container.
    pub fn load_from_model(path: impl AsRef<Path>) -> Result<Self> {
        load_maps(path)
    }
}

fn read(path: &Path) -> Result<Option<SaturationMaps>> {
    if path.extension().is_some_and(|ending| ending == "json") {
        return read_sidecar(path).map(Some);
    }
    let mut magic = [0u8; 4];
    File::open(path)?.read_exact(&mut magic)?;
    match &magic {
        b"KNOT" => Ok(read_header(path)?.saturation_maps),
        b"GGUF" => read_gguf(path),
        _ => read_safetensors(path),
    }
}

fn maps_of(
    layers: HashMap<u32, LayerFrozenBitmask>,
    text: impl Fn(&str) -> String,
) -> SaturationMaps {
    SaturationMaps {
        ffn_frozen_per_layer: layers,
        stats: Vec::new(),
        profile_date: text(DATE_KEY),
        profile_method: text(METHOD_KEY),
        model_name: Some(text(MODEL_KEY)),
    }
}

fn text_in(fields: &Map<String, Value>, key: &str) -> String {
    fields
        .get(key)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_string()
}

fn decoded(text: &str) -> Result<Vec<u8>> {
    STANDARD
        .decode(text)
        .map_err(|_| MaskError("its masks are no base64; the file is damaged".into()))
}

fn read_sidecar(path: &Path) -> Result<SaturationMaps> {
    let fields: Map<String, Value> = serde_json::from_reader(BufReader::new(File::open(path)?))
        .map_err(|error| MaskError(format!("it is damaged: {error}")))?;
    if text_in(&fields, "format") != "permafrost-saturation" {
        return refused("it is no file of masks");
    }
    if fields
        .get("version")
        .and_then(Value::as_u64)
        .is_none_or(|version| version > 1)
    {
        return refused("it was written by a newer Permafrost");
    }
    let layers = mask_blob::deserialize(&decoded(&text_in(&fields, "masks"))?)?;
    Ok(maps_of(layers, |key| match key {
        MODEL_KEY => text_in(&fields, "model_name"),
        METHOD_KEY => text_in(&fields, "profile_method"),
        _ => text_in(&fields, "profile_date"),
    }))
}

fn read_safetensors(path: &Path) -> Result<Option<SaturationMaps>> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    let mut start = [0u8; 8];
    file.read_exact(&mut start)?;
    let length = u64::from_le_bytes(start);
    if !(2..=LONGEST_HEADER.min(size - 8)).contains(&length) {
        return refused("it does not begin with a safetensors header");
    }
    let mut text = vec![0; length as usize];
    file.read_exact(&mut text)?;
    let header: Map<String, Value> = serde_json::from_slice(&text)
        .map_err(|error| MaskError(format!("its header is damaged: {error}")))?;
    let none = Map::new();
    let metadata = header
        .get("__metadata__")
        .and_then(Value::as_object)
        .unwrap_or(&none);
    let Some(blob) = metadata.get(BLOB_KEY).and_then(Value::as_str) else {
        return Ok(None);
    };
    let layers = mask_blob::deserialize(&decoded(blob)?)?;
    Ok(Some(maps_of(layers, |key| text_in(metadata, key))))
}

/// Reads the keys of a GGUF one after another; every length is checked against what is left of the file.
struct GgufKeys<R> {
    source: R,
    left: u64,
}

impl<R: Read> GgufKeys<R> {
    fn bytes(&mut self, size: u64) -> Result<Vec<u8>> {
        self.take(size)?;
        let mut bytes = vec![0; size as usize];
        self.source.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn take(&mut self, size: u64) -> Result<()> {
        if size > self.left {
            return refused("it ends inside its header: it is truncated or damaged");
        }
        self.left -= size;
        Ok(())
    }

    fn skip(&mut self, size: u64) -> Result<()> {
        self.take(size)?;
        let copied = std::io::copy(&mut self.source.by_ref().take(size), &mut std::io::sink())?;
        if copied != size {
            return refused("it is truncated");
        }
        Ok(())
    }

    fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(
            self.bytes(4)?.try_into().expect("4 bytes"),
        ))
    }

    fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(
            self.bytes(8)?.try_into().expect("8 bytes"),
        ))
    }

    fn string(&mut self) -> Result<String> {
        let size = self.u64()?;
        Ok(String::from_utf8_lossy(&self.bytes(size)?).into_owned())
    }

    fn size_of(kind: u32) -> Option<u64> {
        match kind {
            0 | 1 | 7 => Some(1),
            2 | 3 => Some(2),
            4..=6 => Some(4),
            10..=12 => Some(8),
            _ => None,
        }
    }

    fn skip_value(&mut self, kind: u32, depth: u32) -> Result<()> {
        if let Some(size) = Self::size_of(kind) {
            return self.skip(size);
        }
        if kind == STRING {
            let size = self.u64()?;
            return self.skip(size);
        }
        if kind != ARRAY || depth > 3 {
            return refused(format!(
                "a key has the unknown type {kind}; the file is damaged"
            ));
        }
        let (element, count) = (self.u32()?, self.u64()?);
        if let Some(size) = Self::size_of(element) {
            return self.skip(size.saturating_mul(count));
        }
        for _ in 0..count {
            self.skip_value(element, depth + 1)?;
        }
        Ok(())
    }
}

const U8: u32 = 0;
const STRING: u32 = 8;
const ARRAY: u32 = 9;

fn read_gguf(path: &Path) -> Result<Option<SaturationMaps>> {
    let file = File::open(path)?;
    let left = file.metadata()?.len();
    let mut keys = GgufKeys {
        source: BufReader::new(file),
        left,
    };
    keys.skip(4)?;
    let version = keys.u32()?;
    if version != 2 && version != 3 {
        return refused(format!(
            "a GGUF of version {version}; versions 2 and 3 are read"
        ));
    }
    keys.skip(8)?;
    let mut texts = HashMap::new();
    let mut blob = None;
    for _ in 0..keys.u64()? {
        let (key, kind) = (keys.string()?, keys.u32()?);
        if key == BLOB_KEY && kind == ARRAY {
            let (element, size) = (keys.u32()?, keys.u64()?);
            if element != U8 {
                return refused(format!("its key {BLOB_KEY} is no array of bytes"));
            }
            blob = Some(keys.bytes(size)?);
        } else if kind == STRING && key.starts_with(BLOB_KEY) {
            let text = keys.string()?;
            texts.insert(key, text);
        } else {
            keys.skip_value(kind, 0)?;
        }
    }
    let Some(blob) = blob else { return Ok(None) };
    let layers = mask_blob::deserialize(&blob)?;
    Ok(Some(maps_of(layers, |key| {
        texts.get(key).cloned().unwrap_or_default()
    })))
}
