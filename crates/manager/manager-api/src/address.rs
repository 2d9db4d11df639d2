//! The address of a manager, as people type it.

/// Completes a manager's address: `http://HOST:PORT` or `https://HOST:PORT`, with a path if it is
/// below one of a proxy. Without a scheme it is http, as in the manager's own `--listen`. A number
/// alone is a port of this machine.
pub fn manager_url(text: &str) -> Result<String, String> {
    // A port alone is one of this machine.
    if text.bytes().all(|byte| byte.is_ascii_digit())
        && let Some(port) = text.parse::<u16>().ok().filter(|port| *port > 0)
    {
        return Ok(format!("http://127.0.0.1:{port}"));
    }
    let (scheme, host) = text.split_once("://").unwrap_or(("http", text));
    let host = host.trim_end_matches('/');
    let is_number = host.bytes().all(|byte| byte.is_ascii_digit());
    let is_host = !host.is_empty() && !is_number && !host.starts_with('/') && !host.contains(['?', '#', ' ']);
    if ["http", "https"].contains(&scheme) && is_host {
        return Ok(format!("{scheme}://{host}"));
    }
    Err(format!("'{text}' is not the address of a manager; http://127.0.0.1:8000 or https://HOST:PORT would work"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_a_scheme_is_http() {
        for (typed, url) in [
            ("127.0.0.1:8000", "http://127.0.0.1:8000"),
            ("9600", "http://127.0.0.1:9600"),
            ("localhost:8000/", "http://localhost:8000"),
            ("[::1]:8000", "http://[::1]:8000"),
            ("https://fm:8443", "https://fm:8443"),
            ("https://fm/fabric/", "https://fm/fabric"),
        ] {
            assert_eq!(manager_url(typed), Ok(url.to_owned()));
        }
        for typed in ["", "ftp://fm:21", "http://", "0", "96000", "http://9600", "fm:8000?x=1", "fm 8000"] {
            let error = manager_url(typed).expect_err("it is none");
            assert!(error.contains("would work"), "{error}");
        }
    }
}
