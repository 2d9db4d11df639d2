//! A lease in etcd, over the JSON gateway of its version 3.

use std::time::Duration;

use serde_json::{Value, json};

use super::lease::{LeaseError, TAKEOVER, Taken};

/// The longest time that one question to etcd may take.
///
/// Source: ours. Status: assumed; less than a third of the shortest life of a lease.
const PATIENCE: Duration = Duration::from_millis(900);

/// A lease in etcd: a key that goes with the lease says who holds it, another one that stays says the epoch that was drawn last.
#[derive(Debug)]
pub struct Etcd {
    url: String,
    holder_key: String,
    epoch_key: String,
    holder: String,
    life: Duration,
    /// etcd's name of the lease that we hold.
    lease: Option<String>,
    agent: ureq::Agent,
}

impl Etcd {
    pub(super) fn new(url: &str, fabric: &str, holder: &str, life: Duration) -> Self {
        let config = ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(PATIENCE));
        Self {
            url: url.to_owned(),
            holder_key: base64(format!("philae/{fabric}/leader").as_bytes()),
            epoch_key: base64(format!("philae/{fabric}/epoch").as_bytes()),
            holder: holder.to_owned(),
            life,
            lease: None,
            agent: config.build().into(),
        }
    }

    fn failed(&self, problem: impl ToString) -> LeaseError {
        LeaseError::Etcd { url: self.url.clone(), problem: problem.to_string() }
    }

    fn ask(&self, path: &str, body: &Value) -> Result<Value, LeaseError> {
        let answer = self.agent.post(format!("{}{path}", self.url)).send_json(body);
        let mut answer = answer.map_err(|error| self.failed(error))?;
        let status = answer.status();
        let value: Value = answer.body_mut().read_json().map_err(|error| self.failed(error))?;
        if !status.is_success() {
            return Err(self.failed(format!("{status}: {}", value["message"].as_str().unwrap_or("no reason given"))));
        }
        Ok(value)
    }

    fn read(&self, key: &str) -> Result<Option<(String, String)>, LeaseError> {
        let found = self.ask("/v3/kv/range", &json!({ "key": key }))?;
        let Some(first) = found["kvs"].get(0) else { return Ok(None) };
        let revision = first["mod_revision"].as_str().unwrap_or("0").to_owned();
        let value = first["value"].as_str().and_then(text_of).ok_or_else(|| self.failed("its key is no text"))?;
        Ok(Some((value, revision)))
    }

    pub(super) fn take(&mut self, above: u64) -> Result<Taken, LeaseError> {
        if let Some((holder, _)) = self.read(&self.holder_key)? {
            return Ok(Taken::Theirs(holder));
        }
        let drawn = self.read(&self.epoch_key)?;
        // "EPOCH HOLDER", of who led last.
        let last = drawn.as_ref().and_then(|(value, _)| value.split_once(' '));
        let last_epoch = last.and_then(|(epoch, _)| epoch.parse().ok()).unwrap_or(0);
        let step = if last.is_none_or(|(_, holder)| holder == self.holder) { 1 } else { TAKEOVER };
        let epoch = above.max(last_epoch) + step;
        let lease = self.ask("/v3/lease/grant", &json!({ "TTL": self.life.as_secs().max(1).to_string() }))?;
        let lease = lease["ID"].as_str().ok_or_else(|| self.failed("it gave a lease without a name"))?.to_owned();
        let put = |key: &str, value: &str, lease: &str| json!({ "requestPut": { "key": key, "value": base64(value.as_bytes()), "lease": lease } });
        let unchanged = json!({
            "key": self.epoch_key, "target": "MOD", "result": "EQUAL",
            "modRevision": drawn.map_or_else(|| "0".to_owned(), |(_, revision)| revision),
        });
        let free = json!({ "key": self.holder_key, "target": "CREATE", "result": "EQUAL", "createRevision": "0" });
        let done = self.ask(
            "/v3/kv/txn",
            &json!({
                "compare": [free, unchanged],
                "success": [
                    put(&self.holder_key, &self.holder, &lease),
                    put(&self.epoch_key, &format!("{epoch} {}", self.holder), "0"),
                ],
            }),
        )?;
        if done["succeeded"] == true {
            self.lease = Some(lease);
            return Ok(Taken::Ours(epoch));
        }
        // Somebody was faster. What is not given back runs out.
        drop(self.ask("/v3/lease/revoke", &json!({ "ID": lease })));
        let holder = self.read(&self.holder_key)?;
        Ok(Taken::Theirs(holder.map_or_else(|| "somebody".to_owned(), |(holder, _)| holder)))
    }

    pub(super) fn renew(&self) -> Result<bool, LeaseError> {
        let Some(lease) = &self.lease else { return Ok(false) };
        let answer = self.ask("/v3/lease/keepalive", &json!({ "ID": lease }))?;
        if let Some(error) = answer["error"]["message"].as_str() {
            return Err(self.failed(error));
        }
        let left = answer["result"]["TTL"].as_str().and_then(|left| left.parse::<i64>().ok()).unwrap_or(0);
        Ok(left > 0)
    }

    pub(super) fn give_back(&mut self) -> Result<(), LeaseError> {
        match self.lease.take() {
            Some(lease) => self.ask("/v3/lease/revoke", &json!({ "ID": lease })).map(|_| ()),
            None => Ok(()),
        }
    }
}

/// Source: RFC 4648, table 1. Status: published.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// As the gateway has keys and values (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let mut group = [0; 3];
        group[..part.len()].copy_from_slice(part);
        let number = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for place in 0..4 {
            let letter = LETTERS[(number >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= part.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

fn text_of(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut number, mut bits) = (0_u32, 0);
    for letter in text.trim_end_matches('=').bytes() {
        let value = LETTERS.iter().position(|known| *known == letter)?;
        number = number << 6 | value as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((number >> bits & 255) as u8);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        // RFC 4648, section 10.
        for (plain, coded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(plain.as_bytes()), coded);
            assert_eq!(text_of(coded).as_deref(), Some(plain));
        }
        assert_eq!(text_of("Zm9v!"), None);
    }
}
