//! Errors of a scenario's file.

use crate::failure::CommandFailure;
use philae_scenario::ScenarioError;
use std::path::Path;

/// Puts the file's name before errors that do not have it.
pub fn input_failure(path: &Path, error: &ScenarioError) -> CommandFailure {
    match error {
        ScenarioError::Read { .. }
        | ScenarioError::IsFolder { .. }
        | ScenarioError::NotText { .. }
        | ScenarioError::Empty { .. }
        | ScenarioError::IsSystem { .. }
        | ScenarioError::Syntax { .. } => CommandFailure::input(error),
        other => CommandFailure::input(format!("'{}': {other}", path.display())),
    }
}
