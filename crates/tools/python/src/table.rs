//! Tables as Arrow columns, passed through the Arrow PyCapsule interface without copies.

use crate::error::{ResultError, result};
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Float64Array, Int32Array, Int64Array, RecordBatch, RecordBatchIterator,
    StringArray, StructArray,
};
use arrow_schema::{ArrowError, Field, Schema};
use philae_results::columns::{ColumnData, ColumnTable, ColumnValues, WordNumbers};
use philae_results::tables::tables;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

fn arrow(error: ArrowError) -> PyErr {
    ResultError::new_err(error.to_string())
}

/// A table. Its columns stay in place and are shared.
#[pyclass(frozen, module = "philae._native", name = "Table")]
pub struct PyTable {
    name: String,
    about: String,
    batch: RecordBatch,
}

/// One column as raw memory, for NumPy.
#[pyclass(frozen, module = "philae._native")]
pub struct ColumnView {
    /// Keeps the memory alive.
    _array: ArrayRef,
    address: usize,
    length: usize,
    kind: &'static str,
}

/// A column as an Arrow array: the values are moved, not copied.
fn array(column: ColumnData) -> Result<(Field, ArrayRef), ArrowError> {
    let nulls = column.present.map(Into::into);
    let array: ArrayRef = match column.values {
        ColumnValues::Int32(values) => Arc::new(Int32Array::try_new(values.into(), nulls)?),
        ColumnValues::Int64(values) => Arc::new(Int64Array::try_new(values.into(), nulls)?),
        ColumnValues::Double(values) => Arc::new(Float64Array::try_new(values.into(), nulls)?),
        ColumnValues::Text { codes, words } => {
            let codes = Int32Array::try_new(codes.into(), nulls)?;
            Arc::new(DictionaryArray::<Int32Type>::try_new(codes, Arc::new(StringArray::from(words)))?)
        }
    };
    let about = HashMap::from([("about".to_owned(), column.about)]);
    Ok((Field::new(column.name, array.data_type().clone(), true).with_metadata(about), array))
}

impl PyTable {
    /// Takes over a table.
    pub fn new(table: ColumnTable) -> PyResult<Self> {
        let arrays: Result<Vec<_>, _> = table.columns.into_iter().map(array).collect();
        let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = arrays.map_err(arrow)?.into_iter().unzip();
        let about = HashMap::from([("about".to_owned(), table.about.clone())]);
        let schema = Arc::new(Schema::new(fields).with_metadata(about));
        let batch = RecordBatch::try_new(schema, arrays).map_err(arrow)?;
        Ok(Self { name: table.name, about: table.about, batch })
    }

    fn column(&self, name: &str) -> PyResult<&ArrayRef> {
        let known = || {
            let schema = self.batch.schema();
            let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
            let nearest = philae_scenario::nearest(name, names.iter().map(String::as_str))
                .map(|near| format!("; did you mean `{near}`?"));
            let message = format!("table {} has no column `{name}`{}", self.name, nearest.unwrap_or_default());
            pyo3::exceptions::PyKeyError::new_err(format!("{message} columns: {}", names.join(", ")))
        };
        self.batch.column_by_name(name).ok_or_else(known)
    }
}

/// The memory of a column, its words if it is text, and which rows have a value if some have none.
type Viewed = (ColumnView, Option<Vec<String>>, Option<Vec<bool>>);

/// The plain values of an array and, for text, its words.
enum Plain<'a> {
    Int32(&'a Int32Array),
    Int64(&'a Int64Array),
    Double(&'a Float64Array),
    Text(&'a Int32Array, &'a StringArray),
}

fn plain(array: &ArrayRef) -> Plain<'_> {
    let any = array.as_any();
    if let Some(found) = any.downcast_ref::<Int32Array>() {
        return Plain::Int32(found);
    }
    if let Some(found) = any.downcast_ref::<Int64Array>() {
        return Plain::Int64(found);
    }
    if let Some(found) = any.downcast_ref::<Float64Array>() {
        return Plain::Double(found);
    }
    let found = any.downcast_ref::<DictionaryArray<Int32Type>>().expect("a table has columns of four kinds");
    let words = found.values().as_any().downcast_ref::<StringArray>().expect("the words of a column are text");
    Plain::Text(found.keys(), words)
}

impl Plain<'_> {
    const fn kind(&self) -> &'static str {
        match self {
            Self::Int32(_) => "int32",
            Self::Int64(_) => "int64",
            Self::Double(_) => "double",
            Self::Text(..) => "string",
        }
    }
}

#[pymethods]
impl PyTable {
    /// Makes a table from Python lists: `(name, about, kind, values)` for each column, where `kind`
    /// is `int32`, `int64`, `double` or `string` and a value may be None.
    #[staticmethod]
    fn from_columns(
        name: String,
        about: String,
        columns: Vec<(String, String, String, Bound<'_, PyAny>)>,
    ) -> PyResult<Self> {
        let mut rows = None;
        let mut made = Vec::with_capacity(columns.len());
        for (column, about, kind, values) in columns {
            let length = values.len()?;
            if *rows.get_or_insert(length) != length {
                let message = format!("column {column} has {length} rows, those before it {}", rows.unwrap_or(0));
                return Err(ResultError::new_err(message));
            }
            let (values, present) = match kind.as_str() {
                "int32" => {
                    let (values, present) = split(values.extract::<Vec<Option<i32>>>()?);
                    (ColumnValues::Int32(values), present)
                }
                "int64" => {
                    let (values, present) = split(values.extract::<Vec<Option<i64>>>()?);
                    (ColumnValues::Int64(values), present)
                }
                "double" => {
                    let (values, present) = split(values.extract::<Vec<Option<f64>>>()?);
                    (ColumnValues::Double(values), present)
                }
                "string" => {
                    let mut words = WordNumbers::default();
                    let values = values.extract::<Vec<Option<String>>>()?;
                    let (codes, present) =
                        split(values.into_iter().map(|word| word.map(|word| words.code(&word))).collect());
                    (ColumnValues::Text { codes, words: words.into_words() }, present)
                }
                other => {
                    let message = format!("column {column} is {other}; int32, int64, double or string would work");
                    return Err(ResultError::new_err(message));
                }
            };
            made.push(ColumnData { name: column, about, values, present });
        }
        Self::new(ColumnTable { name, about, rows: rows.unwrap_or(0), columns: made })
    }

    /// Reads a table of a result folder.
    #[staticmethod]
    fn read_parquet(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Self::new(py.detach(|| ColumnTable::read(&path)).map_err(result)?)
    }

    /// Writes a Parquet file.
    fn write_parquet(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let schema = self.batch.schema();
        let columns = schema.fields().iter().zip(self.batch.columns()).map(|(field, array)| {
            let values = match plain(array) {
                Plain::Int32(found) => ColumnValues::Int32(found.values().to_vec()),
                Plain::Int64(found) => ColumnValues::Int64(found.values().to_vec()),
                Plain::Double(found) => ColumnValues::Double(found.values().to_vec()),
                Plain::Text(codes, words) => ColumnValues::Text {
                    codes: codes.values().to_vec(),
                    words: words.iter().map(|word| word.unwrap_or_default().to_owned()).collect(),
                },
            };
            ColumnData {
                name: field.name().clone(),
                about: field.metadata().get("about").cloned().unwrap_or_default(),
                values,
                present: array.nulls().map(|nulls| nulls.iter().collect()),
            }
        });
        let table = ColumnTable {
            name: self.name.clone(),
            about: self.about.clone(),
            rows: self.batch.num_rows(),
            columns: columns.collect(),
        };
        py.detach(|| table.write(&path)).map_err(result)
    }

    /// Name of its file without `.parquet`.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The meaning of a row.
    #[getter]
    fn about(&self) -> &str {
        &self.about
    }

    /// Number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batch.num_rows()
    }

    /// Name, kind and meaning of each column.
    #[getter]
    fn columns(&self) -> Vec<(String, &'static str, String)> {
        let schema = self.batch.schema();
        let describe = |(field, array): (&Arc<Field>, &ArrayRef)| {
            let about = field.metadata().get("about").cloned().unwrap_or_default();
            (field.name().clone(), plain(array).kind(), about)
        };
        schema.fields().iter().zip(self.batch.columns()).map(describe).collect()
    }

    /// The first rows, sharing the memory.
    fn head(&self, rows: usize) -> Self {
        let batch = self.batch.slice(0, rows.min(self.batch.num_rows()));
        Self { name: self.name.clone(), about: self.about.clone(), batch }
    }

    /// The values of a column as a list; None if a row has no value.
    fn to_list(&self, py: Python<'_>, column: &str) -> PyResult<Py<PyAny>> {
        let found = match plain(self.column(column)?) {
            Plain::Int32(found) => found.iter().collect::<Vec<_>>().into_pyobject(py)?,
            Plain::Int64(found) => found.iter().collect::<Vec<_>>().into_pyobject(py)?,
            Plain::Double(found) => found.iter().collect::<Vec<_>>().into_pyobject(py)?,
            Plain::Text(codes, words) => {
                let word = |code: Option<i32>| code.map(|code| words.value(code as usize));
                codes.iter().map(word).collect::<Vec<_>>().into_pyobject(py)?
            }
        };
        Ok(found.unbind())
    }

    /// The memory of a column (for text: of the positions of its words), the words of a text
    /// column, and whether each row has a value if some have none.
    fn view(&self, column: &str) -> PyResult<Viewed> {
        let array = self.column(column)?;
        let (address, kind, words) = match plain(array) {
            Plain::Int32(found) => (found.values().as_ptr() as usize, "<i4", None),
            Plain::Int64(found) => (found.values().as_ptr() as usize, "<i8", None),
            Plain::Double(found) => (found.values().as_ptr() as usize, "<f8", None),
            Plain::Text(codes, words) => {
                let words = words.iter().map(|word| word.unwrap_or_default().to_owned()).collect();
                (codes.values().as_ptr() as usize, "<i4", Some(words))
            }
        };
        let view = ColumnView { _array: Arc::clone(array), address, length: array.len(), kind };
        Ok((view, words, array.nulls().map(|nulls| nulls.iter().collect())))
    }

    /// Arrow PyCapsule interface: the type of a row.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema().as_ref()).map_err(arrow)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Arrow PyCapsule interface: the table as one array of rows. `requested_schema` is ignored, as
    /// the interface allows.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        let rows = StructArray::from(self.batch.clone());
        let (array, _): (FFI_ArrowArray, _) = to_ffi(&rows.to_data()).map_err(arrow)?;
        let schema = self.__arrow_c_schema__(py)?;
        PyTuple::new(py, [schema, PyCapsule::new_with_value(py, array, c"arrow_array")?])
    }

    /// Arrow PyCapsule interface: the table as a stream of one piece. `requested_schema` is
    /// ignored, as the interface allows.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let pieces = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(pieces)), c"arrow_array_stream")
    }
}

fn split<T: Default>(values: Vec<Option<T>>) -> (Vec<T>, Option<Vec<bool>>) {
    let present: Vec<bool> = values.iter().map(Option::is_some).collect();
    let all = present.iter().all(|present| *present);
    (values.into_iter().map(Option::unwrap_or_default).collect(), (!all).then_some(present))
}

#[pymethods]
impl ColumnView {
    /// NumPy's array interface, version 3: `numpy.asarray(view)` shares the memory, which does not
    /// change.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (self.length,))?;
        interface.set_item("typestr", self.kind)?;
        interface.set_item("data", (self.address, true))?;
        Ok(interface)
    }

    fn __len__(&self) -> usize {
        self.length
    }
}

/// Name, meaning of a row, and columns (name, kind, meaning) of every table of a result.
type Info = (&'static str, &'static str, Vec<(&'static str, &'static str, &'static str)>);

/// Every table of a result: name, meaning of a row, and its columns with name, kind and meaning.
#[pyfunction]
pub fn table_info() -> Vec<Info> {
    let columns = |table: &philae_results::tables::TableInfo| {
        table.columns.iter().map(|column| (column.name, column.kind, column.about)).collect()
    };
    tables().iter().map(|table| (table.name, table.about, columns(table))).collect()
}
