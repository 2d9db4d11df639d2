//! Requests to a manager.

use std::io::BufReader;
use std::time::Duration;

use philae_manager_api::verified_tls;
use serde_json::{Map, Value};

use super::ClientOptions;
use crate::credentials::{ApiToken, StoredCredentials};
use philae_manager_api::Failure;

/// The largest answer that is read, bytes.
///
/// Source: ours: an answer with every port of the largest fabric takes some 300 MB. Status:
/// assumed.
const ANSWER_MAX: u64 = 1 << 30;

/// A connection to a manager.
pub struct HttpClient {
    base: String,
    agent: ureq::Agent,
    token: Option<ApiToken>,
    /// The longest silence during an answer.
    patience: Option<Duration>,
}

/// The longest time for a connection.
///
/// Source: ours; four attempts of TCP. Status: assumed.
const CONNECT_MOST: Duration = Duration::from_secs(10);

/// How long a manager waits for devices, if a request asks it to; takeovers take longer.
///
/// Source: the default of the API's key `timeout`. Status: published.
const WAITS: Duration = Duration::from_secs(30);
const TAKES_OVER: Duration = Duration::from_secs(60);

/// The shortest silence after which a stream counts as broken: the manager sends something every 15
/// s.
///
/// Source: ours; two of its bookmarks, and room. Status: assumed.
const STREAM_LEAST: Duration = Duration::from_secs(40);

type Answer = Result<ureq::http::Response<ureq::Body>, ureq::Error>;

impl HttpClient {
    /// The manager at `http://HOST:PORT` or `https://HOST:PORT`.
    pub fn new(options: &ClientOptions) -> Result<Self, Failure> {
        let base = options.manager.clone();
        let StoredCredentials { token, roots } = StoredCredentials::find(&base, options)?;
        if token.is_some() && !is_private(&base) {
            let why = "would expose the token on the network";
            return Err(Failure(2, format!("{base}: http to another machine {why}; https://... would work")));
        }
        let patience = Some(Duration::from_secs(options.timeout)).filter(|patience| !patience.is_zero());
        let connect = patience.map(|patience| patience.min(CONNECT_MOST));
        let mut config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_resolve(connect)
            .timeout_connect(connect)
            .timeout_per_read(patience)
            .timeout_per_write(patience);
        if base.starts_with("https:") {
            config = config.tls_config(verified_tls(roots.as_deref()).map_err(|problem| Failure(2, problem))?);
        }
        Ok(Self { base, agent: config.build().into(), token, patience })
    }

    fn with_token<B>(&self, request: ureq::RequestBuilder<B>) -> ureq::RequestBuilder<B> {
        match &self.token {
            Some(token) => request.header("Authorization", format!("Bearer {}", token.reveal())),
            None => request,
        }
    }

    /// Sends a GET request, and returns the answer.
    pub fn get(&self, path: &str, query: &[(String, String)]) -> Result<Value, Failure> {
        self.read(self.ask(path, query, "application/json"), false)
    }

    /// The longest wait for an answer: longer than the manager itself waits for devices.
    fn patience_for(&self, path: &str) -> Option<Duration> {
        let more = match path {
            path if path.contains("wait=applied") => WAITS,
            path if path.ends_with("/takeover") => TAKES_OVER,
            _ => Duration::ZERO,
        };
        self.patience.map(|patience| patience + more)
    }

    fn ask(&self, path: &str, query: &[(String, String)], accept: &str) -> Answer {
        self.ask_within(path, query, accept, self.patience)
    }

    fn ask_within(&self, path: &str, query: &[(String, String)], accept: &str, most: Option<Duration>) -> Answer {
        // Labels may have blanks.
        let path = path.replace(' ', "%20").replace('#', "%23");
        let request = self.agent.get(format!("{}{path}", self.base)).config().timeout_per_read(most).build();
        let mut request = self.with_token(request).header("Accept", accept);
        for (key, value) in query {
            request = request.query(key, value);
        }
        request.call()
    }

    /// Gets a file.
    pub fn bytes(&self, path: &str) -> Result<Vec<u8>, Failure> {
        let answer = self.ask(path, &[], "*/*");
        if answer.as_ref().is_ok_and(|response| response.status().is_success()) {
            let read =
                answer.and_then(|mut response| response.body_mut().with_config().limit(ANSWER_MAX).read_to_vec());
            return read.map_err(|error| self.unreached(&error, false));
        }
        self.read(answer, false).map(|_| Vec::new())
    }

    /// Gets a file by a request with a body; `None` if this role may not have it.
    pub fn bytes_for(&self, path: &str, body: &Value) -> Result<Option<Vec<u8>>, Failure> {
        let answer = self.with_token(self.agent.post(format!("{}{path}", self.base))).send_json(body);
        match &answer {
            Ok(response) if response.status().as_u16() == 403 => return Ok(None),
            Ok(response) if response.status().is_success() => {}
            _ => return self.read(answer, false).map(|_| None),
        }
        let read = answer.and_then(|mut response| response.body_mut().with_config().limit(ANSWER_MAX).read_to_vec());
        read.map(Some).map_err(|error| self.unreached(&error, false))
    }

    /// An answer without end, as it arrives.
    pub fn stream(
        &self,
        path: &str,
        query: &[(String, String)],
        accept: &str,
    ) -> Result<BufReader<ureq::BodyReader<'static>>, Failure> {
        let most = self.patience.map(|patience| patience.max(STREAM_LEAST));
        match self.ask_within(path, query, accept, most) {
            Ok(response) if response.status().is_success() => Ok(BufReader::new(response.into_body().into_reader())),
            answer => {
                self.read(answer, false).and_then(|_| Err(Failure(1, format!("{}: {path} is no stream", self.base))))
            }
        }
    }

    /// Sends an order.
    pub fn send(&self, method: &str, path: &str, body: Value) -> Result<Value, Failure> {
        let (url, most) = (format!("{}{path}", self.base), self.patience_for(path));
        let agent = &self.agent;
        let answer = match method {
            "PATCH" => self.with_token(agent.patch(url)).config().timeout_per_read(most).build().send_json(&body),
            "PUT" => self.with_token(agent.put(url)).config().timeout_per_read(most).build().send_json(&body),
            "DELETE" => self.with_token(agent.delete(url)).config().timeout_per_read(most).build().call(),
            _ => self.with_token(agent.post(url)).config().timeout_per_read(most).build().send_json(&body),
        };
        self.read(answer, true)
    }

    /// The error that there is no answer, with what to do. `ordered`: the request was to change
    /// something.
    fn unreached(&self, error: &ureq::Error, ordered: bool) -> Failure {
        use ureq::Timeout::{Connect, Resolve};
        let base = &self.base;
        let others = "--manager names another, --timeout SECONDS waits longer";
        let text = match error {
            ureq::Error::Timeout(Connect | Resolve) => {
                let most = self.patience.map_or(CONNECT_MOST, |patience| patience.min(CONNECT_MOST)).as_secs();
                format!(
                    "{base}: no connection in {most} s: its machine is down, or a firewall drops packets to it; {others}"
                )
            }
            ureq::Error::Timeout(_) => {
                let most = self.patience.unwrap_or_default().as_secs();
                let known = if ordered {
                    "; it is unknown whether the order was carried out: philae fabric audit shows it"
                } else {
                    ""
                };
                format!(
                    "{base}: connected, but no byte in {most} s or more: the manager is stopped, hangs, or the \
                     connection broke{known}; curl -m 5 {base}/livez tests it; {others}"
                )
            }
            error => format!(
                "{base}: {error}; is a manager running there? philae manager serve --simulated starts one; --manager \
                 names another"
            ),
        };
        Failure(2, text)
    }

    /// The error that a stream has ended, with what to do.
    pub fn stream_ended(&self, error: &std::io::Error) -> Failure {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<ureq::Error>());
        if error.kind() == std::io::ErrorKind::TimedOut || matches!(inner, Some(ureq::Error::Timeout(_))) {
            let most = self.patience.map_or(STREAM_LEAST, |patience| patience.max(STREAM_LEAST)).as_secs();
            let (base, why) = (&self.base, "though a manager sends a sign of life every 15 s");
            return Failure(
                1,
                format!(
                    "{base}: nothing in {most} s, {why}: it is stopped, hangs, or the connection broke; curl -m 5 \
                     {base}/livez tests it; --from REVISION continues with documents from here"
                ),
            );
        }
        Failure(1, format!("the stream ended: {error}"))
    }

    fn read(&self, answer: Answer, ordered: bool) -> Result<Value, Failure> {
        let mut response = answer.map_err(|error| self.unreached(&error, ordered))?;
        if response.status().as_u16() == 204 {
            return Ok(Value::Null);
        }
        let value: Value =
            response.body_mut().with_config().limit(ANSWER_MAX).read_json().map_err(|error| match error {
                ureq::Error::Timeout(_) => self.unreached(&error, ordered),
                _ => Failure(1, format!("the answer of {} is not JSON: {error}", self.base)),
            })?;
        if response.status().is_success() {
            return Ok(value);
        }
        let detail = value["detail"].as_str().unwrap_or("no reason given");
        // Errors of the request have exit code 2, errors of the manager 1.
        let code = if response.status().is_client_error() { 2 } else { 1 };
        Err(Failure(code, detail.to_owned()))
    }
}

/// All items of a list, page after page, up to `most`.
pub fn all(
    client: &HttpClient,
    path: &str,
    query: &[(String, String)],
    most: usize,
) -> Result<(Vec<Value>, Map<String, Value>), Failure> {
    let mut items = Vec::new();
    let mut query = query.to_vec();
    loop {
        let mut page = match client.get(path, &query)? {
            Value::Object(page) => page,
            other => return Err(Failure(1, format!("{path} answered {other}, which is not a list"))),
        };
        match page.remove("items") {
            Some(Value::Array(found)) => items.extend(found),
            _ => return Ok((items, page)),
        }
        let next = page.get("next").and_then(Value::as_str).map(str::to_owned);
        match next {
            Some(next) if items.len() < most => {
                query.retain(|(key, _)| key != "after");
                query.push(("after".to_owned(), next));
            }
            _ => {
                items.truncate(most);
                return Ok((items, page));
            }
        }
    }
}

/// Whether no third party can read requests to `base`: they are encrypted, or stay on this machine.
fn is_private(base: &str) -> bool {
    let Ok(uri) = base.parse::<ureq::http::Uri>() else { return true };
    let host = uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    let here = host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    uri.scheme_str() != Some("http") || here
}

#[cfg(test)]
mod tests {
    use super::is_private;

    #[test]
    fn a_token_goes_in_the_clear_to_this_machine_only() {
        for here in ["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000/x", "https://far.example"] {
            assert!(is_private(here), "{here}");
        }
        for far in ["http://far.example:8000", "http://10.0.0.1", "http://[2001:db8::1]:80", "http://127.0.0.1.example"]
        {
            assert!(!is_private(far), "{far}");
        }
    }
}
