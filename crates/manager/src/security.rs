//! The fourth word: whether somebody knocks who should not, and whether something that proves who is who is about to end.

use std::sync::Arc;

use philae_agent_link::{Authority, unix_seconds};
use philae_control::Health;
use philae_intent::{Kind, Spec};

use crate::guard::{Guard, Rates};
use crate::listen::Proof;
use crate::manager::Manager;

/// How long somebody who was refused counts, seconds.
///
/// Source: ours. Status: assumed.
const RECENT_S: u64 = 600;

/// Wrong tokens within that time that are a cause: fewer are somebody's mistake.
///
/// Source: ours. Status: assumed.
const WRONG_TOKENS: usize = 10;

/// How long before a token ends it is said, seconds.
///
/// Source: ours. Status: assumed; a week.
const TOKEN_ENDS_S: u64 = 7 * 86_400;

/// How long before a certificate that is not renewed by the manager itself ends it is said, seconds.
///
/// Source: ours. Status: assumed; 30 days.
const FILE_ENDS_S: u64 = 30 * 86_400;

/// Who may come in, and what proves the manager to others.
#[derive(Debug)]
pub struct Security {
    /// Knows tokens and counts requests.
    pub(crate) guard: Arc<Guard>,
    pub(crate) authority: Option<Arc<Authority>>,
    /// The API's certificate, where it has one.
    pub(crate) proof: Option<Arc<Proof>>,
}

impl Security {
    /// With an authority, or without one where nothing is kept.
    #[must_use]
    pub fn new(authority: Option<Arc<Authority>>) -> Self {
        Self { guard: Arc::new(Guard::new(Rates::default())), authority, proof: None }
    }
}

fn days(seconds: u64) -> String {
    match seconds {
        0..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// All that is not as it should be. Switches that are simulated in this process need no certificates.
#[must_use]
pub fn causes(manager: &Manager) -> Vec<(Health, String)> {
    let now = unix_seconds();
    let mut causes = Vec::new();
    agents(manager, now, &mut causes);
    let (wrong, from) = manager.security.guard.wrong_since(now.saturating_sub(RECENT_S));
    if wrong >= WRONG_TOKENS {
        let from = from.map_or_else(String::new, |from| format!(", the last from {from}"));
        causes.push((Health::Degraded, format!("{wrong} requests with wrong tokens in ten minutes{from}")));
    }
    if let Some(proof) = &manager.security.proof {
        let left = proof.not_after().saturating_sub(now);
        if left == 0 {
            causes.push((Health::Unhealthy, "the API's certificate has ended".to_owned()));
        } else if left < FILE_ENDS_S && left < proof.life() / 6 {
            causes.push((Health::Degraded, format!("the API's certificate ends in {}", days(left))));
        }
    }
    for document in manager.documents.set().of(Kind::Token) {
        let Spec::Token(spec) = &document.spec else { continue };
        let Some(end) = spec.lease.expires_at_seconds else { continue };
        if end <= now {
            causes.push((
                Health::Converging,
                format!("token '{}' has ended; delete it or make a new one", document.name),
            ));
        } else if end - now < TOKEN_ENDS_S {
            causes.push((Health::Converging, format!("token '{}' ends in {}", document.name, days(end - now))));
        }
    }
    if let Some(authority) = &manager.security.authority {
        let roots = authority.root_count();
        if roots > 1 {
            let text = "roots are believed; when all agents have renewed, retire the old ones";
            causes.push((Health::Converging, format!("{roots} {text}")));
        }
        let left = authority.root_end().saturating_sub(now);
        if left < 365 * 86_400 {
            causes.push((Health::Degraded, format!("the root that signs ends in {}: rotate it", days(left))));
        }
    }
    causes
}

fn agents(manager: &Manager, now: u64, causes: &mut Vec<(Health, String)>) {
    let Some(agents) = manager.plant.agents() else { return };
    let (_, refused) = agents.refused();
    let recent = refused.iter().rev().take_while(|refused| refused.at + RECENT_S > now);
    if let Some(last) = recent.clone().next() {
        let from = last.from.map_or_else(String::new, |from| format!(" from {}", from.ip()));
        let count = recent.count();
        let text = format!("{count} connections of agents refused in ten minutes, the last{from}: {}", last.why);
        causes.push((Health::Degraded, text));
    }
    // An agent renews at two thirds of its certificate's life: with a sixth left it has failed to for some time.
    let late = agents.authority().settings().life_s / 6;
    let ending = agents.peers().filter(|peer| peer.not_after < now + late).count();
    if ending > 0 {
        let text = format!("{ending} agents' certificates end within {} and are not renewed", days(late));
        causes.push((Health::Degraded, text));
    }
}
