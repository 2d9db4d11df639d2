//! Requests to another manager.

use std::path::Path;
use std::time::Duration;

use philae_manager_api::verified_tls;

use crate::availability::FollowError;

/// The largest answer that is read, bytes.
///
/// Source: ours; a page of the log has 256 changes at most. Status: assumed.
const ANSWER_MAX: u64 = 1 << 30;

/// Another manager: its address, and our token for it.
pub struct OtherManager {
    base: String,
    token: Option<String>,
    agent: ureq::Agent,
}

impl std::fmt::Debug for OtherManager {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Reach").field(&self.base).finish()
    }
}

impl OtherManager {
    /// The manager at `http://HOST:PORT` or `https://HOST:PORT`, with a token, verified with roots.
    ///
    /// # Errors
    /// When the roots cannot be read, or are missing for an https address.
    pub fn new(base: &str, token: Option<String>, roots: Option<&Path>) -> Result<Self, FollowError> {
        let mut config =
            ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).timeout_global(Some(PATIENCE));
        // The leader shows the version of this standby.
        config = config.user_agent(concat!("philae-manager/", env!("CARGO_PKG_VERSION")));
        if base.starts_with("https:") {
            let text = roots.map(std::fs::read_to_string).transpose().map_err(FollowError::State)?;
            config = config.tls_config(verified_tls(text.as_deref()).map_err(FollowError::Roots)?);
        }
        Ok(Self { base: base.trim_end_matches('/').to_owned(), token, agent: config.build().into() })
    }

    /// The address.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    fn read(&self, answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Result<Vec<u8>, FollowError> {
        let unreached =
            |error: ureq::Error| FollowError::Unreached { leader: self.base.clone(), problem: error.to_string() };
        let mut answer = answer.map_err(unreached)?;
        let status = answer.status();
        let bytes = answer.body_mut().with_config().limit(ANSWER_MAX).read_to_vec().map_err(unreached)?;
        if status.is_success() {
            return Ok(bytes);
        }
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap_or_default();
        Err(FollowError::Refused {
            leader: self.base.clone(),
            status: status.as_u16(),
            code: value["code"].as_str().unwrap_or_default().to_owned(),
            problem: value["detail"].as_str().unwrap_or("no reason given").to_owned(),
        })
    }

    fn bearer(&self) -> String {
        self.token.as_ref().map_or_else(String::new, |token| format!("Bearer {token}"))
    }

    /// Sends a GET request, and returns the answer.
    ///
    /// # Errors
    /// When the manager cannot be reached, or refuses.
    pub fn get(&self, path: &str) -> Result<Vec<u8>, FollowError> {
        let request = self.agent.get(format!("{}{path}", self.base));
        // A copy of a large store takes long, so only pauses between bytes are limited.
        let config = request.config().timeout_global(None).timeout_connect(Some(PATIENCE));
        let mut request = config.timeout_per_read(Some(PATIENCE)).timeout_per_write(Some(PATIENCE)).build();
        if self.token.is_some() {
            request = request.header("Authorization", self.bearer());
        }
        self.read(request.call())
    }

    /// As [`Self::get`], with a time limit.
    ///
    /// # Errors
    /// When the manager does not answer in that time, or refuses.
    pub fn get_within(&self, path: &str, most: Duration) -> Result<Vec<u8>, FollowError> {
        let mut request = self.agent.get(format!("{}{path}", self.base)).config().timeout_global(Some(most)).build();
        if self.token.is_some() {
            request = request.header("Authorization", self.bearer());
        }
        self.read(request.call())
    }

    /// Sends a POST request with a time limit, and returns the answer.
    ///
    /// # Errors
    /// When the manager cannot be reached, or refuses.
    pub fn post_within(&self, path: &str, body: &serde_json::Value, most: Duration) -> Result<Vec<u8>, FollowError> {
        let request = self.agent.post(format!("{}{path}", self.base));
        let mut request = request.config().timeout_global(Some(most.min(PATIENCE))).build();
        if self.token.is_some() {
            request = request.header("Authorization", self.bearer());
        }
        self.read(request.send_json(body))
    }
}

/// The longest time for one request, or, for a copy, without any byte.
///
/// Source: ours; the log is waited for a second at most. Status: assumed.
const PATIENCE: Duration = Duration::from_secs(10);
