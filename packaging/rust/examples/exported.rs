// SPDX-License-Identifier: GPL-3.0-or-later
//! Compiled together with an exported saturation-maps.rs. At build time PERMAFROST_EXPORTED_SOURCE is the path of the
//! export and PERMAFROST_EXPORTED_CALL that of a file with the expression that calls it; the argument is the path of a
//! .rknot header's saturation_maps. Prints every mask of both, and what serde_json writes for the first.
#![deny(warnings)]

use distributed_inference::rknot::saturation_metadata::SaturationMaps;

mod exported {
    include!(env!("PERMAFROST_EXPORTED_SOURCE"));
}

/// One line a layer: number, neurons, one digit a neuron.
fn print_bits(title: &str, maps: &SaturationMaps) {
    let mut layers: Vec<_> = maps.ffn_frozen_per_layer.keys().copied().collect();
    layers.sort_unstable();
    for layer in layers {
        let neurons = maps.ffn_frozen_per_layer[&layer].num_neurons;
        let bits: String = (0..neurons)
            .map(|neuron| {
                if maps.is_ffn_neuron_frozen(layer, neuron) {
                    '1'
                } else {
                    '0'
                }
            })
            .collect();
        println!("{title} {layer} {neurons} {bits}");
    }
}

fn main() {
    let built: SaturationMaps = include!(env!("PERMAFROST_EXPORTED_CALL"));
    print_bits("source", &built);
    println!("json {}", serde_json::to_string(&built).unwrap());

    let path = std::env::args()
        .nth(1)
        .expect("the path of a saturation_maps JSON");
    let text = std::fs::read_to_string(path).unwrap();
    let read: SaturationMaps = serde_json::from_str(&text).unwrap();
    print_bits("header", &read);
}
