// SPDX-License-Identifier: GPL-3.0-or-later
//! Masks at inference time.

use crate::error::{refused, Result};
use crate::rknot::saturation_metadata::{LayerFrozenBitmask, SaturationMaps};
use std::path::Path;
use std::sync::Arc;

/// Masks that many threads look up.
#[derive(Debug, Clone)]
pub struct SaturationHandle {
    layers: Arc<Vec<Option<LayerFrozenBitmask>>>,
}

impl SaturationHandle {
    pub fn new(maps: SaturationMaps) -> Self {
        let count = maps.layers().last().map_or(0, |&layer| layer as usize + 1);
        let mut layers = vec![None; count];
        for (layer, mask) in maps.ffn_frozen_per_layer {
            layers[layer as usize] = Some(mask);
        }
        SaturationHandle {
            layers: Arc::new(layers),
        }
    }

    pub fn load_from_model(path: impl AsRef<Path>) -> Result<Self> {
        Ok(Self::new(SaturationMaps::load_from_model(path)?))
    }

    pub fn layer(&self, layer: u32) -> Option<&LayerFrozenBitmask> {
        self.layers.get(layer as usize)?.as_ref()
    }

    /// O(1); false for a layer without a mask.
    pub fn is_neuron_frozen(&self, layer: u32, neuron: u32) -> bool {
        self.layer(layer).is_some_and(|mask| mask.is_frozen(neuron))
    }
}

/// A SwiGLU feed-forward layer, f32, without its frozen neurons: down * (silu(gate * x) * (up * x)).
pub struct SparseFfnContext<'weights> {
    hidden: usize,
    gate: &'weights [f32],
    up: &'weights [f32],
    down: &'weights [f32],
    active: Vec<usize>,
    h: Vec<f32>,
}

impl<'weights> SparseFfnContext<'weights> {
    /// `gate`, `up`: (neurons, hidden) row by row; `down`: (hidden, neurons). Without a mask nothing is frozen.
    pub fn new(
        hidden: usize,
        gate: &'weights [f32],
        up: &'weights [f32],
        down: &'weights [f32],
        mask: Option<&LayerFrozenBitmask>,
    ) -> Result<Self> {
        let neurons = gate.len().checked_div(hidden).unwrap_or(0);
        if gate.len() != neurons * hidden || up.len() != gate.len() || down.len() != gate.len() {
            return refused("the matrices' shapes do not fit each other");
        }
        if mask.is_some_and(|mask| mask.num_neurons as usize != neurons) {
            return refused("the mask is of another layer width");
        }
        let frozen = |neuron: usize| mask.is_some_and(|mask| mask.is_frozen(neuron as u32));
        let active: Vec<_> = (0..neurons).filter(|&neuron| !frozen(neuron)).collect();
        let h = vec![0.0; active.len()];
        Ok(SparseFfnContext {
            hidden,
            gate,
            up,
            down,
            active,
            h,
        })
    }

    pub fn active_neurons(&self) -> usize {
        self.active.len()
    }

    /// `x`, `out`: (hidden). Nothing is allocated.
    pub fn forward(&mut self, x: &[f32], out: &mut [f32]) {
        assert!(x.len() == self.hidden && out.len() == self.hidden);
        let dot = |row: &[f32]| {
            row.iter()
                .zip(x)
                .map(|(weight, value)| weight * value)
                .sum::<f32>()
        };
        for (h, &neuron) in self.h.iter_mut().zip(&self.active) {
            let row = neuron * self.hidden..(neuron + 1) * self.hidden;
            let gate = dot(&self.gate[row.clone()]);
            *h = gate / (1.0 + (-gate).exp()) * dot(&self.up[row]);
        }
        let neurons = self.down.len() / self.hidden.max(1);
        for (row, out) in self.down.chunks_exact(neurons.max(1)).zip(out) {
            *out = self
                .active
                .iter()
                .zip(&self.h)
                .map(|(&neuron, h)| row[neuron] * h)
                .sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(count: usize, seed: u32) -> Vec<f32> {
        let mut state = seed;
        (0..count)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as f32 / (1 << 24) as f32 - 0.5
            })
            .collect()
    }

    #[test]
    fn frozen_neurons_add_nothing() {
        let (hidden, neurons) = (7, 29);
        let (gate, up) = (numbers(hidden * neurons, 1), numbers(hidden * neurons, 2));
        let (down, x) = (numbers(hidden * neurons, 3), numbers(hidden, 4));
        let mut mask = LayerFrozenBitmask::new(0, neurons as u32);
        mask.frozen_mask
            .copy_from_slice(&[0b1001_0110, 0xff, 0, 0b0001_0001]);
        let mut context = SparseFfnContext::new(hidden, &gate, &up, &down, Some(&mask)).unwrap();
        assert_eq!(
            context.active_neurons(),
            neurons - mask.num_frozen() as usize
        );
        let mut out = vec![0.0; hidden];
        context.forward(&x, &mut out);
        for (row, value) in out.iter().enumerate() {
            let mut plain = 0.0f64;
            for neuron in (0..neurons).filter(|&neuron| !mask.is_frozen(neuron as u32)) {
                let dot = |m: &[f32]| {
                    (0..hidden)
                        .map(|i| f64::from(m[neuron * hidden + i] * x[i]))
                        .sum::<f64>()
                };
                let g = dot(&gate);
                plain +=
                    f64::from(down[row * neurons + neuron]) * g / (1.0 + (-g).exp()) * dot(&up);
            }
            assert!((f64::from(*value) - plain).abs() < 1e-6);
        }
        assert!(SparseFfnContext::new(hidden, &gate, &up[1..], &down, None).is_err());
        assert!(SparseFfnContext::new(
            hidden,
            &gate,
            &up,
            &down,
            Some(&LayerFrozenBitmask::new(0, 3))
        )
        .is_err());
    }

    #[test]
    fn lookups_outside_are_false() {
        let mut mask = LayerFrozenBitmask::new(3, 9);
        mask.frozen_mask[1] = 1;
        let handle =
            SaturationHandle::new(SaturationMaps::new(4, String::new()).insert_layer_mask(mask));
        assert!(handle.is_neuron_frozen(3, 8));
        for (layer, neuron) in [(3, 0), (3, 9), (2, 8), (9, 8)] {
            assert!(!handle.is_neuron_frozen(layer, neuron));
        }
    }
}
