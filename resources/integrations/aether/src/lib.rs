// SPDX-License-Identifier: GPL-3.0-or-later
//! Frozen neurons for Aether's scheduler.

use distributed_inference::error::Result;
use distributed_inference::saturation_masks::load_saturation_masks;
use std::path::Path;

/// What Aether's scheduler does with frozen neurons.
pub trait Scheduler {
    /// Compute nodes of these neurons are left out of plans from now on.
    fn register_frozen_neurons(&mut self, layer_id: u32, frozen: Vec<u32>);
}

/// Registers the masks of a model with the scheduler; returns how many neurons are frozen.
pub fn register_masks(scheduler: &mut impl Scheduler, model: impl AsRef<Path>) -> Result<usize> {
    let masks = load_saturation_masks(model)?;
    let mut layers: Vec<_> = masks.values().collect();
    layers.sort_unstable_by_key(|mask| mask.layer_id);
    let mut frozen = 0;
    for mask in layers {
        let indices = mask.to_sparse_indices();
        frozen += indices.len();
        scheduler.register_frozen_neurons(mask.layer_id, indices);
    }
    Ok(frozen)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Recorder(Vec<(u32, Vec<u32>)>);

    impl Scheduler for Recorder {
        fn register_frozen_neurons(&mut self, layer_id: u32, frozen: Vec<u32>) {
            self.0.push((layer_id, frozen));
        }
    }

    #[test]
    fn every_frozen_neuron_is_registered() {
        let mut scheduler = Recorder(Vec::new());
        let frozen = register_masks(&mut scheduler, "masks.saturation.json").unwrap();
        assert_eq!(frozen, {{FROZEN}});
        assert_eq!(scheduler.0.len(), {{LAYERS}});
        assert!(scheduler.0.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
