//! A table in memory, column by column: for programs that use results without a file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Repetition, Type as PhysicalType};
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use philae_topology::open_regular;

use crate::error::MeasureError;
use crate::names::RowNames;
use crate::table::{ColumnReader, RecordTable};
use crate::whole::WholeFile;

/// The values of one column, one for each row. The entry of a row without a value has no meaning.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValues {
    /// Identifiers and small counts.
    Int32(Vec<i32>),
    /// Times, sizes and counts.
    Int64(Vec<i64>),
    /// Ratios.
    Double(Vec<f64>),
    /// Names and kinds: each row is a position in `words`, in which no word occurs twice.
    Text {
        /// Position in `words`, one for each row.
        codes: Vec<i32>,
        /// The words, in the order in which they first occur.
        words: Vec<String>,
    },
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnData {
    /// Name, with its unit last.
    pub name: String,
    /// Meaning, unit and range; empty if unknown.
    pub about: String,
    pub values: ColumnValues,
    /// Whether each row has a value; absent if all have.
    pub present: Option<Vec<bool>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ColumnTable {
    /// Name of its file without `.parquet`.
    pub name: String,
    /// The meaning of a row.
    pub about: String,
    pub rows: usize,
    /// Columns, in order, each as long as `rows`.
    pub columns: Vec<ColumnData>,
}

impl ColumnValues {
    /// `int32`, `int64`, `double` or `string`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Int32(_) => "int32",
            Self::Int64(_) => "int64",
            Self::Double(_) => "double",
            Self::Text { .. } => "string",
        }
    }
}

/// Gives each word a position, in order of first occurrence.
#[derive(Debug, Default)]
pub struct WordNumbers {
    codes: BTreeMap<String, i32>,
    words: Vec<String>,
}

impl WordNumbers {
    /// The position of a word.
    pub fn code(&mut self, word: &str) -> i32 {
        if let Some(&code) = self.codes.get(word) {
            return code;
        }
        let code = self.words.len() as i32;
        self.codes.insert(word.to_owned(), code);
        self.words.push(word.to_owned());
        code
    }

    /// All words.
    #[must_use]
    pub fn into_words(self) -> Vec<String> {
        self.words
    }
}

/// Splits values that may be absent; absent ones become the type's default.
fn split<T: Default>(
    values: impl Iterator<Item = Result<Option<T>, MeasureError>>,
) -> Result<(Vec<T>, Option<Vec<bool>>), MeasureError> {
    let mut found = Vec::with_capacity(values.size_hint().0);
    let mut present = Vec::with_capacity(values.size_hint().0);
    for value in values {
        let value = value?;
        present.push(value.is_some());
        found.push(value.unwrap_or_default());
    }
    let all = present.iter().all(|present| *present);
    Ok((found, (!all).then_some(present)))
}

impl<R> RecordTable<R> {
    /// Its columns, read from a record.
    pub(crate) fn collect_columns(&self, names: &RowNames<'_>) -> Result<ColumnTable, MeasureError> {
        let rows = (self.rows)(names.record());
        let mut columns = Vec::with_capacity(self.columns.len());
        for column in self.columns {
            let name = column.name;
            let (values, present) = match column.read {
                ColumnReader::Id(read) => {
                    let (values, present) = split(rows.iter().enumerate().map(|(index, row)| {
                        let fits = |value: u32| self.fits(name, value.into(), i32::MAX as u64, index);
                        read(row, names).map(|value| fits(value).map(|value| value as i32)).transpose()
                    }))?;
                    (ColumnValues::Int32(values), present)
                }
                ColumnReader::Integer(read) => {
                    let (values, present) = split(rows.iter().enumerate().map(|(index, row)| {
                        let fits = |value: u64| self.fits(name, value, i64::MAX as u64, index);
                        read(row, names).map(|value| fits(value).map(|value| value as i64)).transpose()
                    }))?;
                    (ColumnValues::Int64(values), present)
                }
                ColumnReader::Real(read) => {
                    let (values, present) = split(rows.iter().map(|row| Ok(read(row, names))))?;
                    (ColumnValues::Double(values), present)
                }
                ColumnReader::Text(read) => {
                    let mut words = WordNumbers::default();
                    let (codes, present) =
                        split(rows.iter().map(|row| Ok(read(row, names).map(|word| words.code(word)))))?;
                    (ColumnValues::Text { codes, words: words.into_words() }, present)
                }
            };
            columns.push(ColumnData { name: name.to_owned(), about: column.about.to_owned(), values, present });
        }
        Ok(ColumnTable { name: self.name.to_owned(), about: self.about.to_owned(), rows: rows.len(), columns })
    }
}

impl ColumnTable {
    /// Reads a table of a result folder: a Parquet file of flat columns of the four kinds.
    ///
    /// # Errors
    /// [`MeasureError::Io`] and [`MeasureError::Unreadable`].
    pub fn read(path: &Path) -> Result<Self, MeasureError> {
        let file = open_regular(path).map_err(MeasureError::io("read", path))?;
        let failed = |source| MeasureError::Unreadable { path: path.to_path_buf(), source };
        let reader = SerializedFileReader::new(file).map_err(failed)?;
        let metadata = reader.metadata().file_metadata();
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let about = metadata.key_value_metadata().into_iter().flatten().find(|entry| entry.key == "about");
        let about = about.and_then(|entry| entry.value.clone()).unwrap_or_default();
        let mut columns = Vec::new();
        for index in 0..metadata.schema_descr().num_columns() {
            let described = metadata.schema_descr().column(index);
            let column = described.name().to_owned();
            let known = crate::tables::column_about(&name, &column).unwrap_or_default().to_owned();
            if described.max_rep_level() > 0 || described.max_def_level() > 1 {
                return Err(failed(ParquetError::General(format!("column {column} is nested; a flat one would work"))));
            }
            let is_optional = described.max_def_level() == 1;
            let (values, present) = match described.physical_type() {
                PhysicalType::INT32 => {
                    let (values, present) =
                        read_column::<Int32Type, _>(&reader, index, is_optional, |value| Ok(*value)).map_err(failed)?;
                    (ColumnValues::Int32(values), present)
                }
                PhysicalType::INT64 => {
                    let (values, present) =
                        read_column::<Int64Type, _>(&reader, index, is_optional, |value| Ok(*value)).map_err(failed)?;
                    (ColumnValues::Int64(values), present)
                }
                PhysicalType::DOUBLE => {
                    let (values, present) =
                        read_column::<DoubleType, _>(&reader, index, is_optional, |value| Ok(*value))
                            .map_err(failed)?;
                    (ColumnValues::Double(values), present)
                }
                PhysicalType::BYTE_ARRAY => {
                    let mut words = WordNumbers::default();
                    let (codes, present) = read_column::<ByteArrayType, _>(&reader, index, is_optional, |value| {
                        value.as_utf8().map(|word| words.code(word))
                    })
                    .map_err(failed)?;
                    (ColumnValues::Text { codes, words: words.into_words() }, present)
                }
                other => {
                    let message = format!("column {column} is {other}; INT32, INT64, DOUBLE or text would work");
                    return Err(failed(ParquetError::General(message)));
                }
            };
            columns.push(ColumnData { name: column, about: known, values, present });
        }
        let rows = usize::try_from(metadata.num_rows()).unwrap_or(0);
        Ok(Self { name, about, rows, columns })
    }

    /// Writes it as a Parquet file, in one row group.
    ///
    /// # Errors
    /// [`MeasureError::Io`] and [`MeasureError::Unwritable`].
    pub fn write(&self, path: &Path) -> Result<(), MeasureError> {
        self.write_to(File::create(path).map_err(MeasureError::io("create", path))?, path)
    }

    /// Writes the table to a file in a folder of our own, as [`write_own`](crate::write_own) does.
    ///
    /// # Errors
    /// As [`ColumnTable::write`].
    pub fn write_own(&self, path: &Path) -> Result<(), MeasureError> {
        let whole = WholeFile::begin_regular(path).map_err(MeasureError::io("create", path))?;
        self.write_to(whole.file(), path)?;
        whole.end().map_err(MeasureError::io("write", path))
    }

    fn write_to(&self, file: impl Write + Send, path: &Path) -> Result<(), MeasureError> {
        let failed = |source| MeasureError::Unwritable { path: path.to_path_buf(), source };
        let about = KeyValue { key: "about".to_owned(), value: Some(self.about.clone()) };
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by("philae".to_owned())
            .set_key_value_metadata(Some(vec![about]))
            .build();
        let schema = Arc::new(self.schema().map_err(failed)?);
        let mut writer =
            SerializedFileWriter::new(BufWriter::new(file), schema, Arc::new(properties)).map_err(failed)?;
        let mut group = writer.next_row_group().map_err(failed)?;
        for column in &self.columns {
            write_column(column, &mut group).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        writer.close().map_err(failed)?;
        Ok(())
    }

    fn schema(&self) -> parquet::errors::Result<Type> {
        let mut fields = Vec::with_capacity(self.columns.len());
        for column in &self.columns {
            let (physical, converted) = match column.values {
                ColumnValues::Int32(_) => (PhysicalType::INT32, ConvertedType::NONE),
                ColumnValues::Int64(_) => (PhysicalType::INT64, ConvertedType::NONE),
                ColumnValues::Double(_) => (PhysicalType::DOUBLE, ConvertedType::NONE),
                ColumnValues::Text { .. } => (PhysicalType::BYTE_ARRAY, ConvertedType::UTF8),
            };
            let field = Type::primitive_type_builder(&column.name, physical)
                .with_repetition(Repetition::OPTIONAL)
                .with_converted_type(converted);
            fields.push(Arc::new(field.build()?));
        }
        Type::group_type_builder(&self.name).with_fields(fields).build()
    }
}

fn write_column<W: Write + Send>(
    column: &ColumnData,
    group: &mut SerializedRowGroupWriter<'_, W>,
) -> parquet::errors::Result<()> {
    let is_present = |row: usize| column.present.as_ref().is_none_or(|present| present[row]);
    match &column.values {
        ColumnValues::Int32(values) => write_values::<Int32Type, W>(group, values.len(), is_present, |row| values[row]),
        ColumnValues::Int64(values) => write_values::<Int64Type, W>(group, values.len(), is_present, |row| values[row]),
        ColumnValues::Double(values) => {
            write_values::<DoubleType, W>(group, values.len(), is_present, |row| values[row])
        }
        ColumnValues::Text { codes, words } => {
            let words: Vec<ByteArray> = words.iter().map(|word| ByteArray::from(word.as_str())).collect();
            write_values::<ByteArrayType, W>(group, codes.len(), is_present, |row| words[codes[row] as usize].clone())
        }
    }
}

fn write_values<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: usize,
    is_present: impl Fn(usize) -> bool,
    value: impl Fn(usize) -> T::T,
) -> parquet::errors::Result<()> {
    let Some(mut sink) = group.next_column()? else { return Ok(()) };
    let levels: Vec<i16> = (0..rows).map(|row| i16::from(is_present(row))).collect();
    let values: Vec<T::T> = (0..rows).filter(|&row| is_present(row)).map(value).collect();
    sink.typed::<T>().write_batch(&values, Some(&levels), None)?;
    sink.close()
}

/// One column of every row group, with rows that have no value at their places.
fn read_column<T: DataType, V: Copy + Default>(
    reader: &SerializedFileReader<File>,
    index: usize,
    is_optional: bool,
    mut convert: impl FnMut(&T::T) -> parquet::errors::Result<V>,
) -> parquet::errors::Result<(Vec<V>, Option<Vec<bool>>)> {
    let mut found = Vec::new();
    let mut present = Vec::new();
    for number in 0..reader.num_row_groups() {
        let group: Box<dyn RowGroupReader + '_> = reader.get_row_group(number)?;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let mut column = get_typed_column_reader::<T>(group.get_column_reader(index)?);
        let mut values = Vec::with_capacity(rows);
        let mut levels = Vec::with_capacity(rows);
        let mut seen = 0;
        while seen < rows {
            let (records, ..) =
                column.read_records(rows - seen, is_optional.then_some(&mut levels), None, &mut values)?;
            if records == 0 {
                return Err(ParquetError::General(format!("column {index} ends after {seen} of {rows} rows")));
            }
            seen += records;
        }
        let mut values = values.iter();
        for row in 0..rows {
            let has_value = !is_optional || levels.get(row) == Some(&1);
            present.push(has_value);
            let value = if has_value { values.next().map(&mut convert).transpose()? } else { None };
            found.push(value.unwrap_or_default());
        }
    }
    let all = present.iter().all(|present| *present);
    Ok((found, (!all).then_some(present)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic;
    use crate::tables::{collect_table, tables, write_tables};

    #[test]
    fn what_is_collected_is_what_is_written_and_read_back() {
        let record = synthetic::record(1, 40);
        let folder = tempfile::tempdir().expect("a temporary folder");
        write_tables(&record, folder.path()).expect("the tables can be written");
        let mut rows = 0;
        for table in tables() {
            let collected = collect_table(&record, table.name).expect("it exists").expect("values fit");
            let read =
                ColumnTable::read(&folder.path().join(format!("{}.parquet", table.name))).expect("it can be read");
            rows += read.rows;
            assert_eq!(collected, read, "{}", table.name);
        }
        assert!(rows > 100, "the synthetic run has rows");
    }

    #[test]
    fn rows_without_a_value_survive_a_file() {
        let column =
            |name: &str, values, present| ColumnData { name: name.to_owned(), about: String::new(), values, present };
        let table = ColumnTable {
            name: "mine".to_owned(),
            about: "A row is a row.".to_owned(),
            rows: 3,
            columns: vec![
                column("count", ColumnValues::Int64(vec![7, 0, -9]), Some(vec![true, false, true])),
                column("share", ColumnValues::Double(vec![0.5, 0.25, 1.0]), None),
                column(
                    "word",
                    ColumnValues::Text { codes: vec![0, 1, 0], words: vec!["one".to_owned(), "two".to_owned()] },
                    Some(vec![true, true, false]),
                ),
                column("id", ColumnValues::Int32(vec![1, 2, 3]), None),
            ],
        };
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("mine.parquet");
        table.write(&path).expect("it can be written");
        assert_eq!(ColumnTable::read(&path).expect("it can be read"), table);
    }

    #[test]
    fn a_file_that_is_no_table_is_an_error_with_its_name() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("text.parquet");
        std::fs::write(&path, "not a table").expect("it can be written");
        let error = ColumnTable::read(&path).expect_err("it is text").to_string();
        assert!(error.contains("text.parquet"), "{error}");
    }
}
