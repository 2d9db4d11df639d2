//! Secrets for a standby, sealed so that only the standby can read them.
//!
//! A standby has a key of its own (Ed25519) in its state directory, to which its token is bound at
//! the first use. For each request it makes a new share (X25519) and signs it; the leader seals for
//! that share. So a stolen token opens nothing.

use std::path::Path;

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::agreement::{EphemeralPrivateKey, UnparsedPublicKey as Share, X25519, agree_ephemeral};
use ring::hkdf::{HKDF_SHA256, Salt};
use ring::rand::SystemRandom;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use serde::{Deserialize, Serialize};

use crate::digest::hex;

/// Binds keys and signatures to this use.
const PURPOSE: &[u8] = b"philae leadership secrets, version 1";

/// The file of a standby's key.
const KEY_FILE: &str = "standby.identity";

/// A standby's request for a sealed answer: hexadecimal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SealRequest {
    /// The standby's public key.
    pub key: String,
    /// The standby's share for this request.
    pub share: String,
    /// The share's signature by the key.
    pub signature: String,
}

/// A sealed answer: hexadecimal.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SealedAnswer {
    /// The leader's share.
    pub share: String,
    /// The sealed content.
    pub sealed: String,
}

/// The bytes of hexadecimal digits; `None` if the text is not hexadecimal.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) || !text.is_ascii() {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}

fn no_random<E>(_: E) -> String {
    "the system gives no random numbers".to_owned()
}

fn signed(share: &[u8]) -> Vec<u8> {
    [PURPOSE, share].concat()
}

/// The key that follows from both shares.
fn key_of(own: EphemeralPrivateKey, own_share: &[u8], other: &[u8], leader_first: bool) -> Result<LessSafeKey, String> {
    let shares = if leader_first { [own_share, other].concat() } else { [other, own_share].concat() };
    let agreed = agree_ephemeral(own, &Share::new(&X25519, other), |secret| {
        let info = [shares.as_slice()];
        let derived = Salt::new(HKDF_SHA256, PURPOSE).extract(secret);
        derived.expand(&info, &CHACHA20_POLY1305).map(UnboundKey::from).map(LessSafeKey::new)
    });
    agreed.ok().and_then(Result::ok).ok_or_else(|| "the other side's share is none".to_owned())
}

/// A key seals only one answer, so the nonce may always be the same.
fn nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; NONCE_LEN])
}

/// The standby's side of one request.
pub(super) struct Opening {
    own: EphemeralPrivateKey,
    share: Vec<u8>,
    /// The request to send.
    pub asked: SealRequest,
}

impl Opening {
    /// A request of the standby in a state directory; the first one makes its key.
    ///
    /// # Errors
    /// When there is no key and none can be made; in words.
    pub(super) fn new(state: &Path) -> Result<Self, String> {
        let random = SystemRandom::new();
        let path = state.join(KEY_FILE);
        let pkcs8 = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let made = Ed25519KeyPair::generate_pkcs8(&random).map_err(no_random)?;
                philae_agent_rpc::replace(state, KEY_FILE, made.as_ref()).map_err(|error| error.to_string())?;
                made.as_ref().to_vec()
            }
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        let key = Ed25519KeyPair::from_pkcs8(&pkcs8).map_err(|error| {
            format!("{} is not a key ({error}); without the file a new key is made", path.display())
        })?;
        let own = EphemeralPrivateKey::generate(&X25519, &random).map_err(no_random)?;
        let share = own.compute_public_key().map_err(no_random)?.as_ref().to_vec();
        let signature = key.sign(&signed(&share));
        let asked =
            SealRequest { key: hex(key.public_key().as_ref()), share: hex(&share), signature: hex(signature.as_ref()) };
        Ok(Self { own, share, asked })
    }

    /// Opens the leader's sealed answer.
    ///
    /// # Errors
    /// When it was sealed for another request, or changed in transit; in words.
    pub(super) fn open(self, sealed: &SealedAnswer) -> Result<Vec<u8>, String> {
        let hexadecimal = "the answer is not hexadecimal";
        let other = unhex(&sealed.share).ok_or(hexadecimal)?;
        let mut bytes = unhex(&sealed.sealed).ok_or(hexadecimal)?;
        let key = key_of(self.own, &self.share, &other, false)?;
        let opened = key.open_in_place(nonce(), Aad::from(PURPOSE), &mut bytes);
        opened.map(|plain| plain.to_vec()).map_err(|_| "the answer was sealed for another standby".to_owned())
    }
}

/// Seals for the standby that asked.
///
/// # Errors
/// When the request is not signed by the key that it names; in words.
pub(super) fn seal(asked: &SealRequest, plain: &[u8]) -> Result<SealedAnswer, String> {
    let hexadecimal = "key, share and signature are hexadecimal";
    let (key, share) = (unhex(&asked.key).ok_or(hexadecimal)?, unhex(&asked.share).ok_or(hexadecimal)?);
    let signature = unhex(&asked.signature).ok_or(hexadecimal)?;
    UnparsedPublicKey::new(&ED25519, &key)
        .verify(&signed(&share), &signature)
        .map_err(|_| "the share is not signed by the key".to_owned())?;
    let own = EphemeralPrivateKey::generate(&X25519, &SystemRandom::new()).map_err(no_random)?;
    let own_share = own.compute_public_key().map_err(no_random)?.as_ref().to_vec();
    let key = key_of(own, &own_share, &share, true)?;
    let mut bytes = plain.to_vec();
    let sealed = key.seal_in_place_append_tag(nonce(), Aad::from(PURPOSE), &mut bytes);
    sealed.map_err(|_| "it cannot be sealed".to_owned())?;
    Ok(SealedAnswer { share: hex(&own_share), sealed: hex(&bytes) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asked_reads_what_was_sealed_and_nobody_else() {
        let [standby, other] = [(); 2].map(|()| tempfile::tempdir().expect("there is room"));
        let (state, thief) = (standby.path(), other.path());
        let asks = Opening::new(state).expect("a key is made");
        let sealed = seal(&asks.asked, b"the authority").expect("it is signed");
        assert!(!sealed.sealed.contains(&hex(b"authority")));
        let again = Opening::new(state).expect("the key is there");
        assert_eq!(asks.asked.key, again.asked.key, "its key stays");
        assert!(again.open(&sealed).is_err(), "each answer is for one request");
        assert_eq!(asks.open(&sealed).as_deref(), Ok(&b"the authority"[..]));
        let stolen = Opening::new(thief).expect("a key of its own");
        let forged = SealRequest { key: Opening::new(state).expect("a key").asked.key, ..stolen.asked };
        assert!(seal(&forged, b"x").is_err(), "a share needs the standby's signature");
    }
}
