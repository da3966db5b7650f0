// SPDX-License-Identifier: GPL-3.0-or-later
use super::reader::{read_header, KnotHeader};
use super::saturation_metadata::SaturationMaps;
use super::writer::write_knot;
use crate::error::{refused, Result};
use serde_json::{json, Map};
use std::path::{Path, PathBuf};

/// What goes into a `.rknot`.
///
/// ```no_run
/// # use distributed_inference::rknot::{encoder_config::KnotEncoderConfig, saturation_metadata::SaturationMaps};
/// # let maps = SaturationMaps::new(0, String::new());
/// KnotEncoderConfig::new().from_knot("model.knot").with_saturation_maps(maps).encode("model.rknot")?;
/// # Ok::<(), distributed_inference::error::MaskError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct KnotEncoderConfig {
    source: Option<PathBuf>,
    maps: Option<SaturationMaps>,
}

impl KnotEncoderConfig {
    pub fn new() -> Self {
        Self::default()
    }

    /// The model, whose metadata and tensors are copied; without one the file has maps alone.
    #[allow(clippy::wrong_self_convention)]
    pub fn from_knot(mut self, path: impl Into<PathBuf>) -> Self {
        self.source = Some(path.into());
        self
    }

    /// In place of those of the model, if it has some.
    pub fn with_saturation_maps(mut self, maps: SaturationMaps) -> Self {
        self.maps = Some(maps);
        self
    }

    pub fn encode(&self, target: impl AsRef<Path>) -> Result<()> {
        let target = target.as_ref();
        let Some(source) = &self.source else {
            let mut fields = Map::new();
            fields.insert("metadata".into(), json!([]));
            fields.insert("tensors".into(), json!([]));
            return write_knot(target, &fields, self.maps.as_ref(), None);
        };
        let KnotHeader {
            fields,
            saturation_maps,
            data_begin,
            path,
            ..
        } = read_header(source)?;
        if let (Ok(source), Ok(target)) = (path.canonicalize(), target.canonicalize()) {
            if source == target {
                return refused(format!(
                    "{} is the model itself; choose another name",
                    target.display()
                ));
            }
        }
        write_knot(
            target,
            &fields,
            self.maps.as_ref().or(saturation_maps.as_ref()),
            Some((&path, data_begin)),
        )
    }
}
