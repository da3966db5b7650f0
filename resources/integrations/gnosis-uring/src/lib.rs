// SPDX-License-Identifier: GPL-3.0-or-later
//! Boundary hints for gnosis-uring.

use distributed_inference::error::Result;
use distributed_inference::rknot::saturation_metadata::SaturationMaps;
use std::path::Path;

/// What the ring knows of a layer.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundaryHint {
    pub layer_id: u32,
    pub frozen_indices: Vec<u32>,
    /// 1 / (1 - frozen share), an upper bound
    pub estimated_speedup: f64,
}

pub trait UringRing {
    fn register_boundary(&mut self, hint: BoundaryHint);
}

/// Registers a hint for each layer, in order.
pub fn register_boundaries(ring: &mut impl UringRing, model: impl AsRef<Path>) -> Result<()> {
    let saturation = SaturationMaps::load_from_model(model)?;
    for layer in saturation.layers() {
        let boundary = &saturation.ffn_frozen_per_layer[&layer];
        ring.register_boundary(BoundaryHint {
            layer_id: boundary.layer_id,
            frozen_indices: boundary.to_sparse_indices(),
            estimated_speedup: boundary.estimated_speedup(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Recorder(Vec<BoundaryHint>);

    impl UringRing for Recorder {
        fn register_boundary(&mut self, hint: BoundaryHint) {
            self.0.push(hint);
        }
    }

    #[test]
    fn hints_are_those_of_the_json() {
        let mut ring = Recorder(Vec::new());
        register_boundaries(&mut ring, "masks.saturation.json").unwrap();
        let text = std::fs::read_to_string("boundary-hints.json").unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let hints = json["boundaries"].as_array().unwrap();
        assert_eq!(hints.len(), ring.0.len());
        for (hint, expected) in ring.0.iter().zip(hints) {
            assert_eq!(hint.layer_id, expected["layer_id"].as_u64().unwrap() as u32);
            let frozen: Vec<u32> = serde_json::from_value(expected["frozen_indices"].clone()).unwrap();
            assert_eq!(hint.frozen_indices, frozen);
            if let Some(speedup) = expected["estimated_speedup"].as_f64() {
                assert!((hint.estimated_speedup - speedup).abs() < 1e-12 * speedup);
            }
        }
    }
}
