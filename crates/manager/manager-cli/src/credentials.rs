//! How the command finds its credentials: a manager of the same user announces where its token and
//! its roots are.

use std::fmt;
use std::path::Path;

use philae_manager_api::{Failure, manager_running_at};

use super::arguments::ClientOptions;

/// A token. Its `Debug` output does not show it.
pub struct ApiToken(String);

impl fmt::Debug for ApiToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

impl ApiToken {
    /// The text, for the header.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// The command's token, and the roots that verify the manager.
#[derive(Debug)]
pub struct StoredCredentials {
    pub token: Option<ApiToken>,
    /// PEM.
    pub roots: Option<String>,
}

fn file(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure(2, format!("{}: {error}", path.display())))
}

impl StoredCredentials {
    /// Finds credentials by the options, the environment, or the announcement of a manager of the
    /// same user.
    pub fn find(url: &str, options: &ClientOptions) -> Result<Self, Failure> {
        let running = manager_running_at(url);
        let variable = std::env::var("PHILAE_TOKEN").ok().filter(|token| !token.is_empty());
        let token = match (&options.token_file, variable, &running) {
            (Some(path), _, _) => Some(file(path)?),
            (None, Some(token), _) => Some(token),
            (None, None, Some(running)) => Some(file(&running.token_file)?),
            (None, None, None) => None,
        };
        let roots = match (&options.ca, &running) {
            (Some(path), _) => Some(file(path)?),
            (None, Some(running)) => std::fs::read_to_string(&running.roots).ok(),
            (None, None) => None,
        };
        Ok(Self { token: token.map(|token| ApiToken(token.trim().to_owned())), roots })
    }
}
