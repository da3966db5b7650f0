// SPDX-License-Identifier: GPL-3.0-or-later
//! The mask blob, little-endian: "PFMB", u16 version, u16 minor, u32 layers, u32 zero, u64 bytes in all, u64 zero, SHA-256 of the
//! blob with the checksum's own 32 bytes zero; from byte 64 u32 layer, neurons, frozen, place for each layer; the masks.

use crate::error::{refused, Result};
use crate::rknot::saturation_metadata::LayerFrozenBitmask;
use sha2::{Digest, Sha256};
use std::collections::HashMap;

const HEADER: usize = 64;
const RECORD: usize = 16;
const DIGEST: std::ops::Range<usize> = 32..64;
const VERSION: u16 = 1;

fn u32_at(blob: &[u8], place: usize) -> u32 {
    u32::from_le_bytes(blob[place..place + 4].try_into().expect("4 bytes"))
}

fn digest_of(blob: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(&blob[..DIGEST.start]);
    hash.update([0; 32]);
    hash.update(&blob[DIGEST.end..]);
    hash.finalize().into()
}

pub fn serialize(masks: &HashMap<u32, LayerFrozenBitmask>) -> Vec<u8> {
    let mut layers: Vec<_> = masks.values().collect();
    layers.sort_unstable_by_key(|mask| mask.layer_id);
    let mut place = HEADER + RECORD * layers.len();
    let size = place
        + layers
            .iter()
            .map(|mask| mask.frozen_mask.len())
            .sum::<usize>();
    let mut blob = Vec::with_capacity(size);
    blob.extend_from_slice(b"PFMB");
    blob.extend_from_slice(&VERSION.to_le_bytes());
    blob.extend_from_slice(&0u16.to_le_bytes());
    blob.extend_from_slice(&(layers.len() as u32).to_le_bytes());
    blob.extend_from_slice(&0u32.to_le_bytes());
    blob.extend_from_slice(&(size as u64).to_le_bytes());
    blob.resize(HEADER, 0);
    for mask in &layers {
        for number in [
            mask.layer_id,
            mask.num_neurons,
            mask.num_frozen(),
            place as u32,
        ] {
            blob.extend_from_slice(&number.to_le_bytes());
        }
        place += mask.frozen_mask.len();
    }
    for mask in &layers {
        blob.extend_from_slice(&mask.frozen_mask);
    }
    let digest = digest_of(&blob);
    blob[DIGEST].copy_from_slice(&digest);
    blob
}

/// Errors: anything that is not as it was written.
pub fn deserialize(blob: &[u8]) -> Result<HashMap<u32, LayerFrozenBitmask>> {
    if blob.len() < HEADER || &blob[..4] != b"PFMB" {
        return refused("they are no block of masks");
    }
    if u16::from_le_bytes([blob[4], blob[5]]) > VERSION {
        return refused("they were written by a newer Permafrost");
    }
    if u64::from_le_bytes(blob[16..24].try_into().expect("8 bytes")) != blob.len() as u64 {
        return refused("the block is truncated");
    }
    if blob[DIGEST] != digest_of(blob) {
        return refused("their checksum is wrong; the file is damaged, encode the masks again");
    }
    let count = u32_at(blob, 8) as usize;
    if count > (blob.len() - HEADER) / RECORD {
        return refused("the block has fewer bytes than layers");
    }
    let mut masks = HashMap::with_capacity(count);
    let mut last = None;
    for i in 0..count {
        let record = HEADER + RECORD * i;
        let (layer, neurons) = (u32_at(blob, record), u32_at(blob, record + 4));
        let place = u32_at(blob, record + 12) as usize;
        let size = (neurons as usize).div_ceil(8);
        if last.is_some_and(|last| layer <= last)
            || place < HEADER + RECORD * count
            || place > blob.len()
            || size > blob.len() - place
        {
            return refused(format!("the mask of layer {layer} is out of place"));
        }
        last = Some(layer);
        let frozen_mask = blob[place..place + size].to_vec();
        let mask = LayerFrozenBitmask {
            layer_id: layer,
            frozen_mask,
            num_neurons: neurons,
        };
        if !mask.is_consistent() || mask.num_frozen() != u32_at(blob, record + 8) {
            return refused(format!(
                "the mask of layer {layer} contradicts its count of frozen neurons"
            ));
        }
        masks.insert(layer, mask);
    }
    Ok(masks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masks() -> HashMap<u32, LayerFrozenBitmask> {
        let mut masks = HashMap::new();
        for (layer, bytes, neurons) in [
            (0, vec![0b1010_0001, 0b0001_0000], 13),
            (2, vec![0xff], 8),
            (5, vec![1], 1),
        ] {
            masks.insert(
                layer,
                LayerFrozenBitmask {
                    layer_id: layer,
                    frozen_mask: bytes,
                    num_neurons: neurons,
                },
            );
        }
        masks
    }

    #[test]
    fn masks_come_back() {
        let blob = serialize(&masks());
        assert_eq!(blob.len(), 64 + 3 * 16 + 4);
        assert_eq!(deserialize(&blob).unwrap(), masks());
        assert!(deserialize(&serialize(&HashMap::new())).unwrap().is_empty());
    }

    #[test]
    fn every_change_of_a_byte_is_seen() {
        let blob = serialize(&masks());
        for place in 0..blob.len() {
            let mut damaged = blob.clone();
            damaged[place] ^= 1;
            assert!(deserialize(&damaged).is_err(), "byte {place}");
            assert!(deserialize(&blob[..place]).is_err());
        }
    }

    #[test]
    fn a_true_checksum_does_not_excuse_nonsense() {
        let blob = serialize(&masks());
        for place in (8..HEADER + 3 * RECORD).filter(|place| !DIGEST.contains(place)) {
            for value in [0u8, 1, 7, 0x7f, 0xff] {
                let mut damaged = blob.clone();
                damaged[place] = value;
                let digest = digest_of(&damaged);
                damaged[DIGEST].copy_from_slice(&digest);
                let _ = deserialize(&damaged); // must not panic
            }
        }
    }
}
