//! `philae export`: a table of a result as text.

use crate::arguments::{CommonOptions, ExportArguments};
use crate::failure::{CommandFailure, did_you_mean};
use crate::output;
use philae_results::columns::ColumnTable;
use philae_results::text::table;
use philae_results::{format::count, tables};
use philae_topology::input_metadata;
use philae_units::counted;
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;

/// Prints a table, or the list of them.
pub fn run(arguments: &ExportArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let folder = &arguments.result;
    if arguments.csv && shared.json {
        return Err(CommandFailure::input("--csv and --json exclude each other; one of them would work"));
    }
    let found = parquet_files(folder)?;
    let Some(name) = &arguments.table else { return list(folder, &found, shared) };
    if let Some(path) = &arguments.output {
        crate::documents::check_outside(path, folder)?;
        let others: &[&str] = if shared.json { &["parquet", "csv", "xlsx"] } else { &["parquet", "json", "xlsx"] };
        if path.extension().is_some_and(|end| others.iter().any(|other| end == *other)) {
            let path = path.display();
            return Err(CommandFailure::input(format!(
                "'{path}': the table is written as {}; a name that ends in {} would work",
                if shared.json { "JSON" } else { "text with commas" },
                if shared.json { ".json" } else { ".csv, or --json," }
            )));
        }
    }
    if !found.contains(name) {
        let hint = did_you_mean(name, found.iter().map(String::as_str));
        let all = found.join(", ");
        return Err(CommandFailure::input(format!("'{}' has no table {name}{hint}; tables: {all}", folder.display())));
    }
    let mut table = read(folder, name)?;
    if !arguments.columns.is_empty() {
        let names: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
        table = table.select(&arguments.columns).map_err(|wrong| {
            let hint = did_you_mean(&wrong, names.iter().map(String::as_str));
            CommandFailure::input(format!("table {name} has no column {wrong}{hint}; columns: {}", names.join(", ")))
        })?;
    }
    let text = if shared.json {
        format!("{}\n", table.to_json())
    } else {
        let mut bytes = Vec::new();
        table.write_csv(&mut bytes).map_err(CommandFailure::run)?;
        String::from_utf8(bytes).map_err(CommandFailure::run)?
    };
    match &arguments.output {
        None => output::print(&text),
        Some(path) => {
            crate::documents::write(path, text)?;
            let (rows, columns) = (counted(table.rows, "row"), counted(table.columns.len(), "column"));
            shared.note(&format!("{}: {rows} of {columns}", path.display()));
            if shared.json {
                return output::print_json(&json!({ "output": path, "rows": table.rows }));
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn read(folder: &Path, name: &str) -> Result<ColumnTable, CommandFailure> {
    ColumnTable::read(&folder.join(format!("{name}.parquet"))).map_err(CommandFailure::input)
}

/// Names of the tables in a folder: those of a result in their order, then any others.
fn parquet_files(folder: &Path) -> Result<Vec<String>, CommandFailure> {
    let failed = |error| CommandFailure::input(format!("cannot read '{}': {error}", folder.display()));
    if folder.exists() && !folder.is_dir() {
        let works = "the folder that `philae simulate` or `philae sweep` wrote would work";
        return Err(CommandFailure::input(format!("'{}' is no folder; {works}", folder.display())));
    }
    input_metadata(folder).map_err(failed)?;
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "parquet") {
            found.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    if found.is_empty() {
        let works = "a folder that `philae simulate` or `philae sweep` wrote would work";
        return Err(CommandFailure::input(format!("'{}' has no tables; {works}", folder.display())));
    }
    let known: Vec<&str> = tables().iter().map(|table| table.name).collect();
    found.sort_by_key(|name| (known.iter().position(|known| known == name).unwrap_or(known.len()), name.clone()));
    Ok(found)
}

fn list(folder: &Path, found: &[String], shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let mut rows = Vec::new();
    for name in found {
        let ColumnTable { rows: length, columns, about, .. } = read(folder, name)?;
        let known = tables().into_iter().find(|table| table.name == name);
        let about = if about.is_empty() { known.map_or("", |table| table.about).to_owned() } else { about };
        rows.push((name, length, columns.len(), about));
    }
    if shared.json {
        let rows = rows.iter().map(
            |(name, rows, columns, about)| json!({ "table": name, "rows": rows, "columns": columns, "about": about }),
        );
        return output::print_json(&json!({ "tables": rows.collect::<Vec<_>>() }));
    }
    let cells = |(name, rows, columns, about): &(&String, usize, usize, String)| {
        vec![(*name).clone(), count(*rows as u64), columns.to_string(), about.clone()]
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    output::print(&table(&["table", "rows", "columns", "a row is"], &rows, shared.colour()))
}
