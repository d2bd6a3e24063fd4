//! The weights file as a container: header, tokenizer tables, tensor directory. It is foreign input, so every count,
//! length, offset, id and shape is checked before it is believed, and sizes are bounded by the bytes that are there.

use std::{collections::HashMap, fmt, ops::Range};

use super::tokenizer::Tokenizer;

/// Weights of one 4-bit block, and the only block size this code knows.
pub(super) const BLOCK: usize = 32;
/// Bytes of one 4-bit block: an f16 scale and 32 nibbles.
pub(super) const BLOCK_BYTES: usize = 18;
/// Tensors start at multiples of this.
const ALIGNMENT: u64 = 64;
/// Lanes the kernels work in; a head narrower than that has no kernel.
const LANES: usize = super::math::LANES;

/// Why a file is not usable weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadFile(String);

impl BadFile {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for BadFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadFile {}

/// The model's shape. Checked: `hidden = heads · k·16`, all widths multiples of [`BLOCK`], at least one layer, and a
/// window of at least one piece.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shape {
    pub hidden: usize,
    pub layers: usize,
    pub heads: usize,
    pub feed_forward: usize,
    pub vocabulary: usize,
    pub max_positions: usize,
    pub types: usize,
    pub epsilon: f32,
}

/// One entry of the tensor directory, known to lie inside the file.
struct Tensor {
    four_bit: bool,
    elements: usize,
    /// In the file.
    range: Range<usize>,
}

/// A checked file: shape, and tensors by name.
pub(super) struct File {
    bytes: Vec<u8>,
    pub shape: Shape,
    tensors: HashMap<String, Tensor>,
}

impl File {
    pub fn parse(bytes: Vec<u8>) -> Result<(Self, Tokenizer), BadFile> {
        let mut reader = Reader::new(&bytes);
        let shape = shape(&mut reader)?;
        let tokenizer = Tokenizer::parse(&mut reader, shape.vocabulary)?;
        let tensors = directory(&mut reader)?;
        Ok((Self { bytes, shape, tensors }, tokenizer))
    }

    /// A tensor of plain floats, all finite.
    pub fn floats(&self, name: &str, elements: usize) -> Result<Vec<f32>, BadFile> {
        let floats: Vec<f32> = self.bytes[self.range(name, false, elements)?]
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect();
        if floats.iter().all(|x| x.is_finite()) {
            Ok(floats)
        } else {
            Err(BadFile::new(format!("tensor `{name}` holds a value that is not finite")))
        }
    }

    /// The blocks of a 4-bit matrix, row after row; all scales finite.
    pub fn blocks(&self, name: &str, rows: usize, columns: usize) -> Result<&[u8], BadFile> {
        Ok(&self.bytes[self.blocks_range(name, rows, columns)?])
    }

    /// As [`File::blocks`], in the memory the file was in; the rest of it is given back.
    pub fn into_blocks(mut self, name: &str, rows: usize, columns: usize) -> Result<Vec<u8>, BadFile> {
        let range = self.blocks_range(name, rows, columns)?;
        let length = range.len();
        self.bytes.copy_within(range, 0);
        self.bytes.truncate(length);
        self.bytes.shrink_to_fit();
        Ok(self.bytes)
    }

    fn blocks_range(&self, name: &str, rows: usize, columns: usize) -> Result<Range<usize>, BadFile> {
        let elements = rows.checked_mul(columns).ok_or_else(|| BadFile::new("a matrix is too large to address"))?;
        let range = self.range(name, true, elements)?;
        // An f16 is infinite or not a number exactly when its five exponent bits are all ones.
        let finite = |b: &[u8]| b[1] & 0x7c != 0x7c;
        if self.bytes[range.clone()].chunks_exact(BLOCK_BYTES).all(finite) {
            Ok(range)
        } else {
            Err(BadFile::new(format!("tensor `{name}` holds a scale that is not finite")))
        }
    }

    fn range(&self, name: &str, four_bit: bool, elements: usize) -> Result<Range<usize>, BadFile> {
        let t = self.tensors.get(name).ok_or_else(|| BadFile::new(format!("tensor `{name}` is missing")))?;
        if t.four_bit != four_bit || t.elements != elements {
            return Err(BadFile::new(format!(
                "tensor `{name}` has {} elements ({}), expected {elements} ({})",
                t.elements,
                kind(t.four_bit),
                kind(four_bit)
            )));
        }
        Ok(t.range.clone())
    }
}

fn kind(four_bit: bool) -> &'static str {
    if four_bit { "4-bit" } else { "f32" }
}

fn shape(reader: &mut Reader<'_>) -> Result<Shape, BadFile> {
    if reader.take(4)? != b"E5S1" {
        return Err(BadFile::new("it does not start with `E5S1`"));
    }
    let version = reader.u32()?;
    if version != 1 {
        return Err(BadFile::new(format!("format version {version}, this build reads 1")));
    }
    let shape = Shape {
        hidden: reader.size()?,
        layers: reader.size()?,
        heads: reader.size()?,
        feed_forward: reader.size()?,
        vocabulary: reader.size()?,
        max_positions: reader.size()?,
        types: reader.size()?,
        epsilon: reader.f32()?,
    };
    let block = reader.size()?;
    let Shape { hidden, layers, heads, feed_forward, max_positions, types, epsilon, .. } = shape;
    let widths = hidden > 0
        && hidden.is_multiple_of(BLOCK)
        && feed_forward > 0
        && feed_forward.is_multiple_of(BLOCK)
        && heads > 0
        && hidden.is_multiple_of(heads)
        && (hidden / heads).is_multiple_of(LANES);
    if !widths || layers == 0 || max_positions < 3 || types == 0 || block != BLOCK {
        return Err(BadFile::new(format!(
            "an unusable shape: hidden {hidden}, layers {layers}, heads {heads}, feed-forward {feed_forward}, \
             positions {max_positions}, types {types}, block {block}"
        )));
    }
    if !(epsilon.is_finite() && epsilon > 0.0) {
        return Err(BadFile::new("the layer-norm epsilon is not a positive number"));
    }
    Ok(shape)
}

fn directory(reader: &mut Reader<'_>) -> Result<HashMap<String, Tensor>, BadFile> {
    let count = reader.size()?;
    let mut entries = Vec::new();
    for _ in 0..count {
        let name_len = usize::from(reader.u16()?);
        let name =
            std::str::from_utf8(reader.take(name_len)?).map_err(|_| BadFile::new("a tensor name is not UTF-8"))?;
        let four_bit = match reader.take(1)?[0] {
            0 => false,
            1 => true,
            other => return Err(BadFile::new(format!("tensor `{name}` has unknown type {other}"))),
        };
        entries.push((name, four_bit, reader.size()?, reader.u64()?, reader.u64()?));
    }
    let end_of_directory = reader.at as u64;
    let mut tensors = HashMap::new();
    for (name, four_bit, elements, offset, bytes) in entries {
        let expected = match four_bit {
            true if elements.is_multiple_of(BLOCK) => Some((elements / BLOCK) as u64 * BLOCK_BYTES as u64),
            true => None,
            false => Some(elements as u64 * 4),
        };
        let inside = offset.checked_add(bytes).is_some_and(|end| end <= reader.bytes.len() as u64);
        if expected != Some(bytes) || !inside || !offset.is_multiple_of(ALIGNMENT) || offset < end_of_directory {
            return Err(BadFile::new(format!(
                "tensor `{name}` claims {elements} elements in {bytes} bytes at {offset}; the file has {} bytes",
                reader.bytes.len()
            )));
        }
        // Both fit: they are below the length of a slice in memory.
        let tensor = Tensor { four_bit, elements, range: offset as usize..(offset + bytes) as usize };
        if tensors.insert(name.to_owned(), tensor).is_some() {
            return Err(BadFile::new(format!("tensor `{name}` is there twice")));
        }
    }
    Ok(tensors)
}

/// Reads little-endian values off the front; running out is an error.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], BadFile> {
        let bytes = self.bytes;
        let end = self.at.checked_add(count).filter(|end| *end <= bytes.len()).ok_or_else(|| {
            BadFile::new(format!("it ends at byte {}, where {count} more are expected at {}", bytes.len(), self.at))
        })?;
        let taken = &bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    /// `count` items of `width` bytes each.
    pub fn take_items(&mut self, count: usize, width: usize) -> Result<std::slice::ChunksExact<'a, u8>, BadFile> {
        let bytes = count.checked_mul(width).ok_or_else(|| BadFile::new("a table is too large to address"))?;
        Ok(self.take(bytes)?.chunks_exact(width))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BadFile> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub fn u8(&mut self) -> Result<u8, BadFile> {
        Ok(self.array::<1>()?[0])
    }

    pub fn u16(&mut self) -> Result<u16, BadFile> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub fn u32(&mut self) -> Result<u32, BadFile> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub fn u64(&mut self) -> Result<u64, BadFile> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub fn f32(&mut self) -> Result<f32, BadFile> {
        Ok(f32::from_le_bytes(self.array()?))
    }

    /// A u32 as a count.
    pub fn size(&mut self) -> Result<usize, BadFile> {
        usize::try_from(self.u32()?).map_err(|_| BadFile::new("a count is too large for this machine"))
    }

    pub fn at(&self) -> usize {
        self.at
    }
}
