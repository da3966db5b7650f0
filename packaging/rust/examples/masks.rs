// SPDX-License-Identifier: GPL-3.0-or-later
//! Prints the masks of a file, a line each: layer, neurons, one digit a neuron. With a second name, writes them there as a .rknot.
//! Usage: masks FILE [OUT.rknot]

use distributed_inference::rknot::encoder_config::KnotEncoderConfig;
use distributed_inference::rknot::saturation_metadata::SaturationMaps;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: masks FILE [OUT.rknot]")?;
    let maps = SaturationMaps::load_from_model(&file)?;
    for layer in maps.layers() {
        let mask = &maps.ffn_frozen_per_layer[&layer];
        let bits: String = (0..mask.num_neurons)
            .map(|neuron| if mask.is_frozen(neuron) { '1' } else { '0' })
            .collect();
        println!("masks {layer} {} {bits}", mask.num_neurons);
    }
    if let Some(target) = arguments.next() {
        let mut config = KnotEncoderConfig::new().with_saturation_maps(maps);
        if file.ends_with(".rknot") {
            config = config.from_knot(&file);
        }
        config.encode(target)?;
    }
    Ok(())
}
