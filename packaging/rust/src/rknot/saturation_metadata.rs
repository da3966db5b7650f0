// SPDX-License-Identifier: GPL-3.0-or-later
//! The types of `saturation_metadata.rs` as the documents that describe Permafrost's exports show them.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SaturationMaps {
    pub ffn_frozen_per_layer: HashMap<u32, LayerFrozenBitmask>,
    pub stats: Vec<LayerSaturationStat>,
    pub profile_date: String,
    pub profile_method: String,
    pub model_name: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerFrozenBitmask {
    pub layer_id: u32,
    /// ceil(num_neurons / 8) bytes, least significant bit first
    pub frozen_mask: Vec<u8>,
    pub num_neurons: u32,
}

/// The documents name this type and none of its fields; exports leave `stats` empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerSaturationStat {
    pub layer_id: u32,
}

impl LayerFrozenBitmask {
    pub fn new(layer_id: u32, num_neurons: u32) -> Self {
        let bytes = (num_neurons as usize).div_ceil(8);
        LayerFrozenBitmask {
            layer_id,
            frozen_mask: vec![0; bytes],
            num_neurons,
        }
    }

    /// O(1); false for a neuron that the layer does not have.
    pub fn is_frozen(&self, neuron: u32) -> bool {
        neuron < self.num_neurons
            && self
                .frozen_mask
                .get(neuron as usize / 8)
                .is_some_and(|byte| byte >> (neuron % 8) & 1 == 1)
    }

    pub fn num_frozen(&self) -> u32 {
        self.frozen_mask.iter().map(|byte| byte.count_ones()).sum()
    }

    pub fn pct_frozen(&self) -> f64 {
        if self.num_neurons == 0 {
            return 0.0;
        }
        100.0 * f64::from(self.num_frozen()) / f64::from(self.num_neurons)
    }

    /// 1 / (1 - frozen share), an upper bound; infinite where everything is frozen.
    pub fn estimated_speedup(&self) -> f64 {
        if self.num_neurons == 0 {
            return 1.0;
        }
        f64::from(self.num_neurons) / f64::from(self.num_neurons - self.num_frozen())
    }

    /// Frozen neurons, ascending.
    pub fn to_sparse_indices(&self) -> Vec<u32> {
        (0..self.num_neurons)
            .filter(|&neuron| self.is_frozen(neuron))
            .collect()
    }

    /// 0 where a neuron is frozen, else 1, so that the product with h freezes.
    pub fn to_dense_mask(&self) -> Vec<f32> {
        (0..self.num_neurons)
            .map(|neuron| f32::from(!self.is_frozen(neuron) as u8))
            .collect()
    }

    /// Whether the bytes fit the neurons, and no bit past the last is set.
    pub fn is_consistent(&self) -> bool {
        let rest = self.num_neurons % 8;
        self.frozen_mask.len() == (self.num_neurons as usize).div_ceil(8)
            && (rest == 0
                || self
                    .frozen_mask
                    .last()
                    .is_some_and(|byte| byte >> rest == 0))
    }
}

impl SaturationMaps {
    pub fn new(num_layers: u32, profile_method: String) -> Self {
        SaturationMaps {
            ffn_frozen_per_layer: HashMap::with_capacity(num_layers as usize),
            stats: Vec::new(),
            profile_date: String::new(),
            profile_method,
            model_name: None,
        }
    }

    pub fn with_model_name(mut self, name: String) -> Self {
        self.model_name = Some(name);
        self
    }

    pub fn insert_layer_mask(mut self, mask: LayerFrozenBitmask) -> Self {
        self.ffn_frozen_per_layer.insert(mask.layer_id, mask);
        self
    }

    pub fn is_ffn_neuron_frozen(&self, layer_id: u32, neuron_id: u32) -> bool {
        self.ffn_frozen_per_layer
            .get(&layer_id)
            .is_some_and(|mask| mask.is_frozen(neuron_id))
    }

    /// Layers that have a mask, ascending.
    pub fn layers(&self) -> Vec<u32> {
        let mut layers: Vec<_> = self.ffn_frozen_per_layer.keys().copied().collect();
        layers.sort_unstable();
        layers
    }
}
