//! Where a manager listens, as people type it.

/// A manager's address: `http://HOST:PORT` or `https://HOST:PORT`, with a path where a proxy has
/// it below one; without a scheme it is http, as the manager's own `--listen` has it.
pub fn manager_url(text: &str) -> Result<String, String> {
    let (scheme, host) = text.split_once("://").unwrap_or(("http", text));
    let host = host.trim_end_matches('/');
    let is_host = !host.is_empty() && !host.starts_with('/') && !host.contains(['?', '#', ' ']);
    if ["http", "https"].contains(&scheme) && is_host {
        return Ok(format!("{scheme}://{host}"));
    }
    Err(format!("'{text}' is no manager's address; http://127.0.0.1:8000 or https://HOST:PORT would work"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_a_scheme_is_http() {
        for (typed, url) in [
            ("127.0.0.1:8000", "http://127.0.0.1:8000"),
            ("localhost:8000/", "http://localhost:8000"),
            ("[::1]:8000", "http://[::1]:8000"),
            ("https://fm:8443", "https://fm:8443"),
            ("https://fm/fabric/", "https://fm/fabric"),
        ] {
            assert_eq!(manager_url(typed), Ok(url.to_owned()));
        }
        for typed in ["", "ftp://fm:21", "http://", "fm:8000?x=1", "fm 8000"] {
            let error = manager_url(typed).expect_err("it is none");
            assert!(error.contains("would work"), "{error}");
        }
    }
}
