// SPDX-License-Identifier: GPL-3.0-or-later
use distributed_inference::rknot::encoder_config::KnotEncoderConfig;
use distributed_inference::rknot::reader::read_header;
use distributed_inference::rknot::saturation_metadata::{LayerFrozenBitmask, SaturationMaps};
use distributed_inference::saturation_masks::{load_maps, load_saturation_masks};
use std::fs;
use std::path::PathBuf;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("rknot-files-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn maps() -> SaturationMaps {
    let mut mask = LayerFrozenBitmask::new(1, 13);
    mask.frozen_mask = vec![0x81, 0x10];
    SaturationMaps::new(2, "any".into())
        .with_model_name("a \"model\"".into())
        .insert_layer_mask(mask)
}

fn knot(minor: u16, header: &str, tensors: &[u8]) -> Vec<u8> {
    let mut bytes = b"KNOT\x01\x00".to_vec();
    bytes.extend_from_slice(&minor.to_le_bytes());
    bytes.extend_from_slice(&(header.len() as u64).to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(64), 0);
    bytes.extend_from_slice(tensors);
    bytes
}

#[test]
fn maps_alone_come_back() {
    let folder = Folder::new("alone");
    KnotEncoderConfig::new()
        .with_saturation_maps(maps())
        .encode(folder.path("m.rknot"))
        .unwrap();
    assert_eq!(load_maps(folder.path("m.rknot")).unwrap(), maps());
}

#[test]
fn a_model_keeps_its_header_and_tensors_and_newer_minor_versions_are_read() {
    let folder = Folder::new("model");
    let header = r#"{"metadata":[["k","f64",0.1]],"tensors":[],"later":{"z":1,"a":2.5}}"#;
    fs::write(folder.path("m.knot"), knot(7, header, b"tensors")).unwrap();
    let read = read_header(folder.path("m.knot")).unwrap();
    assert_eq!(
        (read.version, read.saturation_maps.is_none()),
        ((1, 7), true)
    );
    assert!(load_saturation_masks(folder.path("m.knot")).is_err());
    let config = KnotEncoderConfig::new()
        .from_knot(folder.path("m.knot"))
        .with_saturation_maps(maps());
    config.encode(folder.path("m.rknot")).unwrap();
    let written = read_header(folder.path("m.rknot")).unwrap();
    assert_eq!(written.saturation_maps, Some(maps()));
    assert_eq!(serde_json::to_string(&written.fields).unwrap(), header);
    assert_eq!(written.data_begin % 64, 0);
    assert_eq!(
        &fs::read(folder.path("m.rknot")).unwrap()[written.data_begin as usize..],
        b"tensors"
    );
    assert!(config.encode(folder.path("m.knot")).is_err());
}

#[test]
fn damaged_files_are_refused() {
    let folder = Folder::new("damaged");
    KnotEncoderConfig::new()
        .with_saturation_maps(maps())
        .encode(folder.path("m.rknot"))
        .unwrap();
    let whole = fs::read(folder.path("m.rknot")).unwrap();
    for size in 0..whole.len() {
        fs::write(folder.path("cut.rknot"), &whole[..size]).unwrap();
        assert!(load_maps(folder.path("cut.rknot")).is_err(), "{size} bytes");
    }
    let mut stray = whole.clone();
    let place = whole
        .windows(8)
        .position(|window| window == b"[129,16]")
        .unwrap();
    stray[place..place + 8].copy_from_slice(b"[129,32]");
    fs::write(folder.path("stray.rknot"), stray).unwrap();
    assert!(load_maps(folder.path("stray.rknot")).is_err());
    assert!(load_maps(folder.path("missing.gguf")).is_err());
}
