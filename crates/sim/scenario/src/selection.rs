//! Selection tables of collectives in files that jobs name.

use std::path::Path;

use philae_workload::SelectionTable;
use toml::{Table, Value};

use crate::error::ScenarioError;
use crate::lines::KeyLines;

/// Replaces each `workload.selection` that is a path by the table of its file. Paths are relative
/// to `folder`.
///
/// A file that ends in `.json` is a tuning file of MPICH's; any other has the form of `selection`
/// itself.
pub(crate) fn read_files(scenario: &mut Table, folder: &Path, lines: &KeyLines) -> Result<(), ScenarioError> {
    let jobs = scenario.get_mut("job").and_then(Value::as_array_mut).into_iter().flatten();
    for (number, job) in jobs.enumerate() {
        let selection = job.get_mut("workload").and_then(|workload| workload.get_mut("selection"));
        if let Some(selection) = selection
            && let Some(name) = selection.as_str()
        {
            let path = folder.join(name);
            *selection = read_file(&path, name).map_err(|reason| {
                let place = lines.place(&format!("job.{number}.workload.selection"));
                let message = format!(
                    "cannot use the file '{}': {reason}; a tuning file of MPICH (.json) or a table of rules (.toml) would work",
                    path.display()
                );
                ScenarioError::Unreadable { place, message }
            })?;
        }
    }
    Ok(())
}

fn read_file(path: &Path, name: &str) -> Result<Value, String> {
    let bytes = philae_topology::read_input(path).map_err(|error| error.to_string())?;
    let text = philae_units::text_of(bytes).map_err(|_| "it is not text".to_owned())?;
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    let table = if is_json { SelectionTable::from_mpich_json(&text, name) } else { SelectionTable::parse(&text) };
    Value::try_from(table.map_err(|error| error.to_string())?).map_err(|error| error.to_string())
}
