// SPDX-License-Identifier: GPL-3.0-or-later
//! The types of `saturation_metadata.rs` as the documents that describe Permafrost's exports show them.

pub mod rknot {
    pub mod saturation_metadata {
        use serde::{Deserialize, Serialize};
        use std::collections::HashMap;

        #[derive(Debug, Clone, Serialize, Deserialize)]
        pub struct SaturationMaps {
            pub ffn_frozen_per_layer: HashMap<u32, LayerFrozenBitmask>,
            pub stats: Vec<LayerSaturationStat>,
            pub profile_date: String,
            pub profile_method: String,
            pub model_name: Option<String>,
        }

        #[derive(Debug, Clone, Serialize, Deserialize)]
        pub struct LayerFrozenBitmask {
            pub layer_id: u32,
            /// ceil(num_neurons / 8) bytes, least significant bit first
            pub frozen_mask: Vec<u8>,
            pub num_neurons: u32,
        }

        /// The documents name this type and none of its fields; exports leave `stats` empty.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        pub struct LayerSaturationStat {
            pub layer_id: u32,
        }

        impl LayerFrozenBitmask {
            pub fn new(layer_id: u32, num_neurons: u32) -> Self {
                let bytes = (num_neurons as usize).div_ceil(8);
                LayerFrozenBitmask { layer_id, frozen_mask: vec![0; bytes], num_neurons }
            }

            pub fn is_frozen(&self, neuron: u32) -> bool {
                neuron < self.num_neurons
                    && self.frozen_mask[neuron as usize / 8] >> (neuron % 8) & 1 == 1
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
        }
    }
}
