// SPDX-License-Identifier: GPL-3.0-or-later
//! Masks of frozen feed-forward neurons: the types that exported sources use, and the files that carry them.

pub mod error;
pub mod inference_saturation;
pub mod mask_blob;
pub mod rknot;
pub mod saturation_masks;
