//! Tables as text: CSV and JSON. Whole numbers are exact, up to 64 bits, and a row without a value
//! differs from an empty word.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::columns::{ColumnData, ColumnTable, ColumnValues};

impl ColumnData {
    /// The value of a row as JSON; null if it has none.
    #[must_use]
    pub fn value(&self, row: usize) -> Value {
        if self.present.as_ref().is_some_and(|present| !present[row]) {
            return Value::Null;
        }
        match &self.values {
            ColumnValues::Int32(values) => values[row].into(),
            ColumnValues::Int64(values) => values[row].into(),
            ColumnValues::Double(values) => values[row].into(),
            ColumnValues::Text { codes, words } => words[codes[row] as usize].as_str().into(),
        }
    }
}

/// A word as a field: in quotes if a reader would misread it otherwise. An empty word is `""`; a
/// missing value is empty.
fn field(text: &str) -> String {
    let is_plain = !text.is_empty() && !text.contains([',', '"', '\n', '\r']) && text.trim() == text;
    if is_plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

impl ColumnTable {
    /// The table with only these columns, in this order.
    ///
    /// # Errors
    /// The first name without a column.
    pub fn select(mut self, names: &[String]) -> Result<Self, String> {
        let mut columns = Vec::with_capacity(names.len());
        for name in names {
            let found = self.columns.iter().find(|column| column.name == *name);
            columns.push(found.ok_or_else(|| name.clone())?.clone());
        }
        self.columns = columns;
        Ok(self)
    }

    /// Writes the table as CSV (RFC 4180, lines end with a line feed), the names of the columns
    /// first.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let names: Vec<String> = self.columns.iter().map(|column| field(&column.name)).collect();
        writeln!(out, "{}", names.join(","))?;
        let mut line = String::new();
        for row in 0..self.rows {
            line.clear();
            for (place, column) in self.columns.iter().enumerate() {
                if place > 0 {
                    line.push(',');
                }
                match column.value(row) {
                    Value::Null => {}
                    Value::String(text) => line += &field(&text),
                    other => line += &other.to_string(),
                }
            }
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    /// The table as JSON: its meaning, its columns, and its rows as lists.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let about =
            |column: &ColumnData| json!({ "name": column.name, "kind": column.values.kind(), "about": column.about });
        let row = |row: usize| self.columns.iter().map(|column| column.value(row)).collect::<Vec<_>>();
        json!({
            "table": self.name,
            "about": self.about,
            "columns": self.columns.iter().map(about).collect::<Vec<_>>(),
            "rows": (0..self.rows).map(row).collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> ColumnTable {
        let column =
            |name: &str, values, present| ColumnData { name: name.to_owned(), about: String::new(), values, present };
        let words = vec!["a,b".to_owned(), String::new(), "say \"x\"".to_owned()];
        ColumnTable {
            name: "t".to_owned(),
            about: "A row.".to_owned(),
            rows: 3,
            columns: vec![
                column(
                    "time_ps",
                    ColumnValues::Int64(vec![i64::MAX, 0, 9_007_199_254_740_993]),
                    Some(vec![true, false, true]),
                ),
                column("share", ColumnValues::Double(vec![0.1, 1.0, f64::MIN_POSITIVE]), None),
                column("word", ColumnValues::Text { codes: vec![0, 1, 2], words }, None),
            ],
        }
    }

    #[test]
    fn whole_numbers_are_exact_and_nothing_is_no_empty_word() {
        let mut out = Vec::new();
        table().write_csv(&mut out).expect("memory takes it");
        let text = String::from_utf8(out).expect("UTF-8");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "time_ps,share,word");
        assert_eq!(lines[1], "9223372036854775807,0.1,\"a,b\"");
        assert_eq!(lines[2], ",1.0,\"\"", "no time, an empty word");
        assert_eq!(lines[3], "9007199254740993,2.2250738585072014e-308,\"say \"\"x\"\"\"");
        let json = table().to_json();
        assert_eq!(json["rows"][0][0], i64::MAX);
        assert_eq!((&json["rows"][1][0], &json["rows"][1][2]), (&Value::Null, &Value::from("")));
    }

    #[test]
    fn columns_are_chosen_by_name() {
        let chosen = table().select(&["word".to_owned(), "time_ps".to_owned()]).expect("both are there");
        assert_eq!(chosen.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>(), ["word", "time_ps"]);
        assert_eq!(table().select(&["x".to_owned()]), Err("x".to_owned()));
    }
}
