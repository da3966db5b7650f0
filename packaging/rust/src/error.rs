// SPDX-License-Identifier: GPL-3.0-or-later
use std::fmt;

/// Why masks cannot be read or written: what, where, and what to do.
#[derive(Debug)]
pub struct MaskError(pub String);

impl fmt::Display for MaskError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for MaskError {}

impl From<std::io::Error> for MaskError {
    fn from(error: std::io::Error) -> Self {
        MaskError(error.to_string())
    }
}

pub type Result<T> = std::result::Result<T, MaskError>;

pub(crate) fn refused<T>(why: impl Into<String>) -> Result<T> {
    Err(MaskError(why.into()))
}
