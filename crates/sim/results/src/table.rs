//! A Parquet table with one description: name, meaning and reader of each column. Writer and schema
//! text both follow from it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parquet::basic::{Compression, ConvertedType, Encoding, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{ColumnPath, Type, TypePtr};

use crate::columns::ColumnTable;
use crate::error::MeasureError;
use crate::names::RowNames;
use crate::record::RunRecord;

/// Rows per row group: bounds the memory of a reader.
pub(crate) const ROW_GROUP_ROWS: usize = 262_144;
/// Values per call of the column writer.
const BATCH_ROWS: usize = 8_192;

/// The reader of a column's value; `None` becomes null.
pub(crate) enum ColumnReader<R> {
    /// Identifiers and small counts: a 32-bit integer.
    Id(for<'r> fn(&'r R, &'r RowNames<'r>) -> Option<u32>),
    /// Times, sizes and counts: a signed 64-bit integer, so that differences do not wrap.
    Integer(for<'r> fn(&'r R, &'r RowNames<'r>) -> Option<u64>),
    /// Ratios: a 64-bit float.
    Real(for<'r> fn(&'r R, &'r RowNames<'r>) -> Option<f64>),
    /// Names and kinds: a string, dictionary-encoded.
    Text(for<'r> fn(&'r R, &'r RowNames<'r>) -> Option<&'r str>),
}

/// One column.
pub(crate) struct RecordColumn<R> {
    /// Name, with its unit last.
    pub name: &'static str,
    /// Meaning, unit and range.
    pub about: &'static str,
    /// The source of its values.
    pub read: ColumnReader<R>,
}

/// One table.
pub(crate) struct RecordTable<R: 'static> {
    /// Name of the file without `.parquet`.
    pub name: &'static str,
    /// The meaning of a row.
    pub about: &'static str,
    /// Columns, in order.
    pub columns: &'static [RecordColumn<R>],
    pub rows: fn(&RunRecord) -> &[R],
}

/// Lists columns as `kind name: "meaning" => |row, names| value;` where the value may be an
/// `Option`.
macro_rules! columns {
    ($($kind:ident $name:ident: $about:literal => |$row:pat_param, $names:pat_param| $value:expr;)+) => {
        &[$(crate::table::RecordColumn {
            name: stringify!($name),
            about: $about,
            read: crate::table::ColumnReader::$kind(|$row, $names| ($value).into()),
        }),+]
    };
}
pub(crate) use columns;

/// The description of one column, for documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ColumnInfo {
    /// Name, with its unit last.
    pub name: &'static str,
    /// `int32`, `int64`, `double` or `string`.
    pub kind: &'static str,
    /// Meaning, unit and range.
    pub about: &'static str,
}

/// A table with rows of any type.
pub(crate) trait AnyTable: Sync {
    fn name(&self) -> &'static str;
    fn about(&self) -> &'static str;
    fn column_info(&self) -> Vec<ColumnInfo>;
    /// Its rows in a record.
    fn rows(&self, record: &RunRecord) -> usize;
    /// Its columns in memory.
    fn collect(&self, names: &RowNames<'_>) -> Result<ColumnTable, MeasureError>;
    /// Writes `folder/NAME.parquet` and returns its number of rows. On failure, no file is left; it
    /// fails once `stop` is set.
    fn write(&self, names: &RowNames<'_>, folder: &Path, stop: &AtomicBool) -> Result<u64, MeasureError>;
}

impl<R> ColumnReader<R> {
    const fn kind(&self) -> &'static str {
        match self {
            Self::Id(_) => "int32",
            Self::Integer(_) => "int64",
            Self::Real(_) => "double",
            Self::Text(_) => "string",
        }
    }

    fn column_type(&self, name: &str) -> parquet::errors::Result<Type> {
        let (physical, converted) = match self {
            Self::Id(_) => (PhysicalType::INT32, ConvertedType::NONE),
            Self::Integer(_) => (PhysicalType::INT64, ConvertedType::NONE),
            Self::Real(_) => (PhysicalType::DOUBLE, ConvertedType::NONE),
            Self::Text(_) => (PhysicalType::BYTE_ARRAY, ConvertedType::UTF8),
        };
        Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_converted_type(converted)
            .build()
    }
}

impl<R> AnyTable for RecordTable<R> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn column_info(&self) -> Vec<ColumnInfo> {
        let describe =
            |column: &RecordColumn<R>| ColumnInfo { name: column.name, kind: column.read.kind(), about: column.about };
        self.columns.iter().map(describe).collect()
    }

    fn collect(&self, names: &RowNames<'_>) -> Result<ColumnTable, MeasureError> {
        self.collect_columns(names)
    }

    fn rows(&self, record: &RunRecord) -> usize {
        (self.rows)(record).len()
    }

    fn write(&self, names: &RowNames<'_>, folder: &Path, stop: &AtomicBool) -> Result<u64, MeasureError> {
        let path = folder.join(format!("{}.parquet", self.name));
        let written = File::create(&path)
            .map_err(MeasureError::io("create", &path))
            .and_then(|file| self.write_to(names, file, &path, stop));
        if written.is_err() {
            // Half a table cannot be read, and takes room from others. If it stays, that is not a
            // second failure.
            let _ = std::fs::remove_file(&path);
        }
        written
    }
}

impl<R> RecordTable<R> {
    fn write_to(&self, names: &RowNames<'_>, file: File, path: &Path, stop: &AtomicBool) -> Result<u64, MeasureError> {
        let failed = |source| MeasureError::Parquet { table: self.name, source };
        let rows = (self.rows)(names.record());
        let schema = self.schema().map_err(failed)?;
        let mut writer = SerializedFileWriter::new(BufWriter::new(file), schema, self.properties()).map_err(failed)?;
        for (group, rows) in rows.chunks(ROW_GROUP_ROWS).enumerate() {
            let mut row_group = writer.next_row_group().map_err(failed)?;
            for column in self.columns {
                if stop.load(Ordering::Relaxed) {
                    return Err(MeasureError::Interrupted);
                }
                let Some(mut sink) = row_group.next_column().map_err(failed)? else { break };
                self.write_column(column, rows, group * ROW_GROUP_ROWS, names, &mut sink)?;
                sink.close().map_err(failed)?;
            }
            row_group.close().map_err(failed)?;
        }
        let buffered = writer.into_inner().map_err(failed)?;
        // The buffered rest may not fit either, and some file systems report only at the end that
        // there is no room.
        let file = buffered.into_inner().map_err(|error| MeasureError::io("write", path)(error.into_error()))?;
        file.sync_data().map_err(MeasureError::io("write", path))?;
        Ok(rows.len() as u64)
    }

    fn schema(&self) -> parquet::errors::Result<TypePtr> {
        let mut fields = Vec::with_capacity(self.columns.len());
        for column in self.columns {
            fields.push(Arc::new(column.read.column_type(column.name)?));
        }
        Ok(Arc::new(Type::group_type_builder(self.name).with_fields(fields).build()?))
    }

    fn properties(&self) -> WriterPropertiesPtr {
        let about = KeyValue { key: "about".to_owned(), value: Some(self.about.to_owned()) };
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by("philae".to_owned())
            .set_key_value_metadata(Some(vec![about]));
        let is_time =
            |column: &&RecordColumn<R>| matches!(column.read, ColumnReader::Integer(_)) && column.name.ends_with("_ps");
        for column in self.columns.iter().filter(is_time) {
            // Times rarely repeat but are close together: differences are small, a dictionary would
            // be large.
            let path = ColumnPath::from(column.name);
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
        Arc::new(properties.build())
    }

    /// `value`, unless it is above the maximum of its column.
    pub(crate) const fn fits(
        &self,
        column: &'static str,
        value: u64,
        limit: u64,
        row: usize,
    ) -> Result<u64, MeasureError> {
        if value <= limit {
            return Ok(value);
        }
        Err(MeasureError::ValueTooLarge { table: self.name, column, row, value, limit })
    }

    fn write_column(
        &self,
        column: &RecordColumn<R>,
        rows: &[R],
        first_row: usize,
        names: &RowNames<'_>,
        sink: &mut SerializedColumnWriter<'_>,
    ) -> Result<(), MeasureError> {
        let fits = |value: u64, limit: u64, row: usize| self.fits(column.name, value, limit, first_row + row);
        match column.read {
            ColumnReader::Id(read) => self.write_values::<Int32Type, R>(sink, rows, |index, row| {
                let Some(value) = read(row, names) else { return Ok(None) };
                fits(value.into(), i32::MAX as u64, index).map(|value| Some(value as i32))
            }),
            ColumnReader::Integer(read) => self.write_values::<Int64Type, R>(sink, rows, |index, row| {
                let Some(value) = read(row, names) else { return Ok(None) };
                fits(value, i64::MAX as u64, index).map(|value| Some(value as i64))
            }),
            ColumnReader::Real(read) => self.write_values::<DoubleType, R>(sink, rows, |_, row| Ok(read(row, names))),
            ColumnReader::Text(read) => {
                // Names repeat: each is copied once per row group and shared from then on. Its
                // address identifies it, because long names differ late.
                let mut known: BTreeMap<(*const u8, usize), ByteArray> = BTreeMap::new();
                self.write_values::<ByteArrayType, R>(sink, rows, |_, row| {
                    let shared = |text: &str| {
                        let place = (text.as_ptr(), text.len());
                        known.entry(place).or_insert_with(|| ByteArray::from(text)).clone()
                    };
                    Ok(read(row, names).map(shared))
                })
            }
        }
    }

    fn write_values<'r, T: DataType, Row>(
        &self,
        sink: &mut SerializedColumnWriter<'_>,
        rows: &'r [Row],
        mut read: impl FnMut(usize, &'r Row) -> Result<Option<T::T>, MeasureError>,
    ) -> Result<(), MeasureError> {
        let mut values = Vec::with_capacity(BATCH_ROWS);
        let mut present: Vec<i16> = Vec::with_capacity(BATCH_ROWS);
        for (batch, rows) in rows.chunks(BATCH_ROWS).enumerate() {
            values.clear();
            present.clear();
            for (index, row) in rows.iter().enumerate() {
                let value = read(batch * BATCH_ROWS + index, row)?;
                present.push(i16::from(value.is_some()));
                values.extend(value);
            }
            sink.typed::<T>()
                .write_batch(&values, Some(&present), None)
                .map_err(|source| MeasureError::Parquet { table: self.name, source })?;
        }
        Ok(())
    }
}
