//! Sends the counters of a simulation to the manager.

use std::io::BufRead;

use serde_json::Value;

use super::http::HttpClient;
use philae_manager_api::Failure;

/// `philae fabric feed`: lines of JSON from standard input. The first one identifies the fabric.
pub fn feed(client: &HttpClient) -> Result<(), Failure> {
    let mut wiring = Value::Null;
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line.map_err(|error| Failure(1, format!("standard input: {error}")))?;
        let wrong = |why: String| Failure(2, format!("line {} of the counters: {why}", number + 1));
        let mut line: Value = serde_json::from_str(&line).map_err(|error| wrong(error.to_string()))?;
        match line.get("wiring") {
            Some(found) => wiring = found.clone(),
            None => {
                let fields = line.as_object_mut().ok_or_else(|| wrong("it is not an object".to_owned()))?;
                fields.insert("wiring".to_owned(), wiring.clone());
                client.send("POST", "/api/v1/simulation/counters", line)?;
            }
        }
    }
    Ok(())
}
