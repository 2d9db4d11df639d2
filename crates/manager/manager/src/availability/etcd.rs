//! A lease in etcd, over the JSON gateway of its version 3.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use crate::availability::lease::{LeaseError, LeaseOutcome, LeaseProof};
use crate::availability::takeover::{Claimant, LeaderRecord};

/// The longest time for one request to etcd.
///
/// Source: ours. Status: assumed; less than a third of the shortest life of a lease.
const PATIENCE: Duration = Duration::from_millis(900);

/// A lease in etcd. A key that is bound to the lease names the holder; another one, which stays,
/// has the last leader's record.
#[derive(Debug)]
pub struct Etcd {
    /// etcd's members. The first is used until it does not answer, then the next.
    urls: Vec<String>,
    at: std::cell::Cell<usize>,
    holder_key: String,
    record_key: String,
    holder: String,
    life: Duration,
    /// etcd's name of the lease that this manager holds.
    lease: Option<String>,
    /// How long etcd keeps it without a renewal.
    granted: Option<Duration>,
    /// The record, and the revision of its key, while this manager holds the lease.
    record: Option<(LeaderRecord, String)>,
    agent: ureq::Agent,
}

impl Etcd {
    pub(super) fn new(
        urls: &[String],
        fabric: &str,
        holder: &str,
        life: Duration,
        proof: &LeaseProof,
    ) -> Result<Self, LeaseError> {
        let mut config = ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(PATIENCE));
        if let Some(url) = urls.iter().find(|url| url.starts_with("https:")) {
            let problem = |problem: String| LeaseError::Etcd { url: url.clone(), problem };
            let read = |path: &PathBuf| {
                std::fs::read_to_string(path)
                    .map_err(|error| problem(format!("cannot read {}: {error}", path.display())))
            };
            let roots = proof.roots.as_ref();
            let roots = roots.ok_or_else(|| problem("--lease-ca FILE names the roots that prove it".to_owned()))?;
            let own = match &proof.certificate {
                Some((certificate, key)) => Some((read(certificate)?, read(key)?)),
                None => None,
            };
            let own = own.as_ref().map(|(certificate, key)| (certificate.as_str(), key.as_str()));
            config = config.tls_config(philae_manager_api::verified_tls_with(&read(roots)?, own).map_err(problem)?);
        }
        Ok(Self {
            urls: urls.to_vec(),
            at: std::cell::Cell::new(0),
            holder_key: base64(format!("philae/{fabric}/leader").as_bytes()),
            record_key: base64(format!("philae/{fabric}/epoch").as_bytes()),
            holder: holder.to_owned(),
            life,
            lease: None,
            granted: None,
            record: None,
            agent: config.build().into(),
        })
    }

    fn url(&self) -> &str {
        &self.urls[self.at.get() % self.urls.len()]
    }

    fn failed(&self, problem: impl ToString) -> LeaseError {
        LeaseError::Etcd { url: self.url().to_owned(), problem: problem.to_string() }
    }

    fn ask(&self, path: &str, body: &Value) -> Result<Value, LeaseError> {
        let asked = self.ask_member(path, body);
        if asked.is_err() {
            self.at.set(self.at.get() + 1);
        }
        asked
    }

    fn ask_member(&self, path: &str, body: &Value) -> Result<Value, LeaseError> {
        let answer = self.agent.post(format!("{}{path}", self.url())).send_json(body);
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

    /// The record, and the revision of its key; "0" if there is none.
    fn read_record(&self) -> Result<(LeaderRecord, String), LeaseError> {
        let Some((text, revision)) = self.read(&self.record_key)? else {
            return Ok((LeaderRecord::default(), "0".to_owned()));
        };
        // Releases before this one wrote "EPOCH HOLDER".
        let old = || {
            let (epoch, last) = text.split_once(' ')?;
            Some(LeaderRecord { epoch: epoch.parse().ok()?, last: last.to_owned(), ..LeaderRecord::default() })
        };
        let record = serde_json::from_str(&text).ok().or_else(old);
        Ok((record.ok_or_else(|| self.failed("the key philae/FABRIC/epoch has no record of a leader"))?, revision))
    }

    pub(super) fn take(&mut self, claimant: &Claimant) -> Result<LeaseOutcome, LeaseError> {
        if let Some((holder, _)) = self.read(&self.holder_key)?.filter(|(holder, _)| *holder != self.holder) {
            return Ok(LeaseOutcome::Theirs(holder));
        }
        let (record, drawn) = self.read_record()?;
        let epoch = match record.claim(&self.holder, claimant) {
            Ok(epoch) => epoch,
            Err(why) => return Ok(LeaseOutcome::Refused(why)),
        };
        let seconds = self.life.as_secs().max(1);
        let granted = self.ask("/v3/lease/grant", &json!({ "TTL": seconds.to_string() }))?;
        let lease = granted["ID"].as_str().ok_or_else(|| self.failed("it gave a lease without a name"))?.to_owned();
        let ttl = granted["TTL"].as_str().and_then(|ttl| ttl.parse().ok()).unwrap_or(seconds);
        let record =
            LeaderRecord { last: self.holder.clone(), epoch, usable: BTreeSet::new(), revision: claimant.revision };
        // The lease is free, or an earlier run of this manager holds it.
        let free = json!({ "key": self.holder_key, "target": "CREATE", "result": "EQUAL", "createRevision": "0" });
        let ours = self.held_by_us();
        let take = [self.put(&self.holder_key, &self.holder, &lease), self.put(&self.record_key, &text(&record), "0")];
        for held in [free, ours] {
            let done =
                self.ask("/v3/kv/txn", &json!({ "compare": [held, self.unchanged(&drawn)], "success": take }))?;
            if done["succeeded"] == true {
                self.lease = Some(lease);
                self.granted = Some(Duration::from_secs(ttl));
                self.record = Some((record, revision_of(&done)));
                return Ok(LeaseOutcome::Ours(epoch));
            }
        }
        // Another manager was faster. A lease that cannot be revoked expires.
        drop(self.ask("/v3/lease/revoke", &json!({ "ID": lease })));
        let holder = self.read(&self.holder_key)?;
        Ok(LeaseOutcome::Theirs(holder.map_or_else(|| "another manager".to_owned(), |(holder, _)| holder)))
    }

    fn put(&self, key: &str, value: &str, lease: &str) -> Value {
        json!({ "requestPut": { "key": key, "value": base64(value.as_bytes()), "lease": lease } })
    }

    fn unchanged(&self, revision: &str) -> Value {
        json!({ "key": self.record_key, "target": "MOD", "result": "EQUAL", "modRevision": revision })
    }

    fn held_by_us(&self) -> Value {
        let value = base64(self.holder.as_bytes());
        json!({ "key": self.holder_key, "target": "VALUE", "result": "EQUAL", "value": value })
    }

    pub(super) fn write(&mut self, usable: &BTreeSet<String>, revision: u64) -> Result<bool, LeaseError> {
        let Some((known, _)) = &self.record else { return Ok(false) };
        let epoch = known.epoch;
        let record = LeaderRecord { last: self.holder.clone(), epoch, usable: usable.clone(), revision };
        // A write whose answer was lost is this manager's too, so the key is read again.
        let (found, at) = self.read_record()?;
        if found.last != self.holder || found.epoch != epoch {
            return Ok(false);
        }
        let done = self.ask(
            "/v3/kv/txn",
            &json!({
                "compare": [self.held_by_us(), self.unchanged(&at)],
                "success": [self.put(&self.record_key, &text(&record), "0")],
            }),
        )?;
        if done["succeeded"] == true {
            self.record = Some((record, revision_of(&done)));
        }
        Ok(done["succeeded"] == true)
    }

    pub(super) const fn granted(&self) -> Option<Duration> {
        self.granted
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
        self.record = None;
        match self.lease.take() {
            Some(lease) => self.ask("/v3/lease/revoke", &json!({ "ID": lease })).map(|_| ()),
            None => Ok(()),
        }
    }
}

fn text(record: &LeaderRecord) -> String {
    serde_json::to_string(record).expect("a record is plain")
}

fn revision_of(done: &Value) -> String {
    done["header"]["revision"].as_str().unwrap_or("0").to_owned()
}

/// Source: RFC 4648, table 1. Status: published.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The gateway's encoding of keys and values (RFC 4648, section 4).
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
