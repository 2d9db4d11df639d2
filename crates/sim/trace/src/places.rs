//! The place of each task in its file: for errors of a run, in the words of the file.

use std::sync::Arc;

/// The numbers by which a format counts its operations: lines, nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct OperationNumbers {
    /// The unit of the count: "line", "node".
    what: &'static str,
    /// The file of each rank, if there are several.
    files: Vec<String>,
    /// By rank and task.
    numbers: Vec<Arc<[u64]>>,
}

impl OperationNumbers {
    /// The numbers of `what`, by rank and task.
    pub fn new(what: &'static str, numbers: Vec<Vec<u64>>) -> Self {
        Self { what, files: Vec::new(), numbers: numbers.into_iter().map(Arc::from).collect() }
    }

    /// The same with the name of each rank's file, if ranks have files of their own.
    pub fn in_files(mut self, names: Vec<String>) -> Self {
        self.files = names.iter().map(|name| name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned()).collect();
        self
    }

    /// The place of a task: `line 4`, `line 4 of app.3.txt`, or its number if nothing better is
    /// known.
    pub fn of(&self, rank: u32, task: u32) -> String {
        let number = self.numbers.get(rank as usize).and_then(|numbers| numbers.get(task as usize));
        match (number, self.files.get(rank as usize)) {
            (Some(number), Some(file)) => format!("{} {number} of {file}", self.what),
            (Some(number), None) => format!("{} {number}", self.what),
            (None, _) => format!("task {task}"),
        }
    }
}
