//! Avro bytes to values and back, under a schema compiled in.

use std::{
    collections::HashMap,
    io::{self, Read},
};

use apache_avro::{
    AvroResult, Schema,
    headers::{HeaderBuilder, RabinFingerprintHeader},
    reader::datum::GenericDatumReader,
    schema::Name,
    util::max_allocation_bytes,
    writer::datum::GenericDatumWriter,
};
use saidso_core::fault::{Code, Fault};
use serde::{Serialize, de::DeserializeOwned};

/// The most that one length in a record may ask for: well above what a broker takes, and below what a forged length
/// could take a process down with.
const ALLOCATION_BYTES: usize = 16 << 20;

/// The bytes before the Avro bytes in single-object encoding.
pub(super) type Header = [u8; 10];

/// A schema compiled in, ready to read and write with.
///
/// Reading and writing go straight between bytes and types. What another schema wrote takes the way through
/// [`apache_avro::types::Value`], several times slower, where defaults are filled in and fields that are not ours fall away.
pub(super) struct Format {
    name: &'static str,
    text: &'static str,
    schema: &'static Schema,
    canonical: String,
    header: Header,
    released: HashMap<Header, Writer>,
    reader: GenericDatumReader<'static>,
    writer: GenericDatumWriter<'static>,
}

/// Who wrote some bytes, as far as reading them is concerned.
#[derive(Debug)]
pub(super) enum Writer {
    /// A schema that lays them out as ours does.
    Alike,
    /// Another one.
    Other(Schema),
}

impl Format {
    /// From the schema's text, and those of the versions released. Keeps the schema for as long as the process lives:
    /// call it once for each.
    pub(super) fn new(name: &'static str, text: &'static str, released: &[&str]) -> AvroResult<Self> {
        max_allocation_bytes(ALLOCATION_BYTES);
        let schema: &'static Schema = Box::leak(Box::new(Schema::parse_str(text)?));
        let mut format = Self {
            name,
            text,
            schema,
            canonical: schema.canonical_form(),
            header: header(schema),
            released: HashMap::new(),
            reader: GenericDatumReader::builder(schema).build()?,
            writer: GenericDatumWriter::builder(schema).build()?,
        };
        for text in released {
            let schema = Schema::parse_str(text)?;
            format.released.insert(header(&schema), format.writer(schema));
        }
        // Last, so that it stands even where a released one is alike.
        format.released.insert(format.header, Writer::Alike);
        Ok(format)
    }

    /// What the record is called.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// The schema's text.
    pub(super) fn text(&self) -> &'static str {
        self.text
    }

    /// What single-object encoding puts before the bytes that [`Format::write`] makes.
    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// The writer that such a header names, if it is of a version that was released.
    pub(super) fn released(&self, header: &Header) -> Option<&Writer> {
        self.released.get(header)
    }

    /// How what this schema wrote is read.
    pub(super) fn writer(&self, schema: Schema) -> Writer {
        // The canonical form leaves out all that does not change the bytes.
        if schema.canonical_form() == self.canonical { Writer::Alike } else { Writer::Other(schema) }
    }

    /// Appends a value's Avro bytes.
    pub(super) fn write<T: Serialize>(&self, bytes: &mut Vec<u8>, value: &T) -> Result<(), Fault> {
        match self.writer.write_ser(bytes, value) {
            Ok(_) => Ok(()),
            // The library's message may quote the value.
            Err(_) => Err(Fault::stop(
                Code::Undecodable,
                format!("the types of {} do not fit its schema: this build is broken", self.name),
            )),
        }
    }

    /// A value from all of some Avro bytes.
    pub(super) fn read<T: DeserializeOwned>(&self, writer: &Writer, bytes: &[u8]) -> Result<T, Fault> {
        let read = match writer {
            Writer::Alike => self.read_alike(bytes),
            Writer::Other(schema) => self.translate(schema, bytes).and_then(|ours| self.read_alike(&ours)),
        };
        // The library's message may quote the value.
        read.ok_or_else(|| {
            let length = bytes.len();
            Fault::dead_letter(
                Code::Undecodable,
                format!("{length} bytes are not one whole {} as its writer's schema has it", self.name),
            )
        })
    }

    fn read_alike<T: DeserializeOwned>(&self, mut bytes: &[u8]) -> Option<T> {
        let value = self.reader.read_deser(&mut bytes).ok()?;
        bytes.is_empty().then_some(value)
    }

    /// What another schema wrote, as ours would have written it.
    fn translate(&self, schema: &Schema, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut whole = Whole(bytes);
        let reader = GenericDatumReader::builder(schema).reader_schema(self.schema).build().ok()?;
        let value = reader.read_value(&mut whole).ok()?;
        if !whole.0.is_empty() {
            return None;
        }
        self.writer.write_value_to_vec(value).ok()
    }
}

/// The header of single-object encoding.
fn header(schema: &Schema) -> Header {
    let mut header = [0; 10];
    header.copy_from_slice(&RabinFingerprintHeader::from_schema(schema).build_header());
    header
}

/// Whether values of a schema nest as deep as their writer likes. Reading them would take as much of the stack, which a
/// few bytes could use up, and with it the process.
pub(super) fn nests_itself(schema: &Schema) -> bool {
    fn within<'a>(schema: &'a Schema, around: &mut Vec<&'a Name>) -> bool {
        match schema {
            Schema::Ref { name } => around.contains(&name),
            Schema::Array(array) => within(&array.items, around),
            Schema::Map(map) => within(&map.types, around),
            Schema::Union(union) => union.variants().iter().any(|variant| within(variant, around)),
            Schema::Record(record) => {
                around.push(&record.name);
                let found = record.fields.iter().any(|field| within(&field.schema, around));
                around.pop();
                found
            }
            _ => false,
        }
    }
    within(schema, &mut Vec::new())
}

/// Bytes whose end is an error. At a plain end of file `apache_avro`'s generic reader makes up what is missing, so that
/// it takes most truncated records for whole ones.
struct Whole<'a>(&'a [u8]);

impl Read for Whole<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() && !buffer.is_empty() {
            return Err(io::Error::other("the record ends before its last field"));
        }
        self.0.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Pear {
        weight: i64,
        kind: Option<String>,
    }

    /// No release differs from this version yet.
    #[test]
    fn what_an_earlier_release_wrote_is_read() {
        const EARLIER: &str = r#"{"type": "record", "name": "Pear", "fields": [{"name": "weight", "type": "int"}]}"#;
        let now =
            EARLIER.replace(r#""int"}"#, r#""long"}, {"name": "kind", "type": ["null", "string"], "default": null}"#);
        let format = Format::new("pear", now.leak(), &[EARLIER]).expect("schemas");
        let earlier = Format::new("pear", EARLIER, &[]).expect("a schema");
        let writer = format.released(earlier.header()).expect("it is known");
        let Pear { weight, kind } = format.read(writer, &[0x54]).expect("a pear");
        assert_eq!((weight, kind), (42, None));

        let mut bytes = Vec::new();
        format.write(&mut bytes, &Pear { weight: 42, kind: Some("conference".to_owned()) }).expect("its bytes");
        let writer = format.released(format.header()).expect("it is known");
        assert_eq!(format.read::<Pear>(writer, &bytes).expect("a pear").kind.as_deref(), Some("conference"));
        assert!(earlier.released(format.header()).is_none(), "a later one is not");
    }
}
