//! The word Security: refused callers and agents, and certificates and tokens that are about to
//! expire.

use std::collections::BTreeSet;

use philae_agent_rpc::{RefusedCall, Role, unix_seconds};
use philae_manager_core::HealthLevel;
use philae_policy::{DocumentKind, Spec};

use crate::incidents::counted;
use crate::manager::Manager;
use crate::protocol::natural::natural;
use crate::troubles::Trouble;

/// How long a refusal counts, seconds.
///
/// Source: ours. Status: assumed.
const RECENT_S: u64 = 600;

/// Number of wrong tokens within that time that is a cause: fewer are a caller's mistake.
///
/// Source: ours. Status: assumed.
const WRONG_TOKENS: usize = 10;

/// How long before its expiry a token is reported, seconds.
///
/// Source: ours. Status: assumed; a week.
const TOKEN_ENDS_S: u64 = 7 * 86_400;

/// How long before its expiry a certificate is reported that the manager does not renew, seconds.
///
/// Source: ours. Status: assumed; 30 days.
const FILE_ENDS_S: u64 = 30 * 86_400;

pub(crate) fn days(seconds: u64) -> String {
    match seconds {
        0..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// All troubles of security. Switches that are simulated in this process need no certificates.
pub(crate) fn troubles(manager: &Manager) -> Vec<Trouble> {
    let now = unix_seconds();
    let told = |key: &str, health, detail: String| Trouble::new("security", key, health, detail);
    let mut found = Vec::new();
    agents(manager, now, &mut found);
    let (wrong, from) = manager.security.guard.wrong_since(now.saturating_sub(RECENT_S));
    if wrong >= WRONG_TOKENS {
        let from = from.map_or_else(String::new, |from| format!(", the last from {from}"));
        let detail = format!("{wrong} requests with wrong tokens in ten minutes{from}");
        found.push(told("wrong-tokens", HealthLevel::Degraded, detail).next("find the caller at that address"));
    }
    if let Some(proof) = &manager.security.proof {
        let left = proof.not_after().saturating_sub(now);
        let (which, next) = match proof.file() {
            Some(file) => (
                format!("the API's certificate, {},", file.display()),
                "replace the file by a new certificate: the manager reads it by itself",
            ),
            None => {
                ("the API's certificate".to_owned(), "read the manager's log: it has the reason why it is not renewed")
            }
        };
        let brief = |what: &str| format!("the API's certificate {what}");
        if left == 0 {
            let ended = crate::clock::utc(proof.not_after());
            let detail = format!("{which} ended at {ended}: clients refuse it");
            found.push(told("api", HealthLevel::Unhealthy, detail).brief(brief("has ended")).next(next));
        } else if left < FILE_ENDS_S && left < proof.life() / 6 {
            let ends = format!("ends in {}", days(left));
            let detail = format!("{which} {ends}");
            found.push(told("api", HealthLevel::Degraded, detail).brief(brief(&ends)).next(next));
        }
    }
    for document in manager.documents.set().of(DocumentKind::Token) {
        let Spec::Token(spec) = &document.spec else { continue };
        let Some(end) = spec.lease.expires_at_seconds else { continue };
        let (name, key) = (&document.name, format!("token/{}", document.name));
        if end <= now {
            let next = format!("philae fabric tokens revoke {name}");
            found.push(told(&key, HealthLevel::Converging, format!("token '{name}' has ended")).next(next));
        } else if end - now < TOKEN_ENDS_S {
            let detail = format!("token '{name}' ends in {}", days(end - now));
            let next = format!("philae fabric tokens make NAME --role ROLE, then: philae fabric tokens revoke {name}");
            found.push(told(&key, HealthLevel::Converging, detail).next(next));
        }
    }
    if let Some(authority) = &manager.security.authority {
        let roots = authority.root_count();
        if roots > 1 {
            let detail = format!("{roots} roots are trusted");
            let next = "when all agents have renewed: philae fabric certificates retire";
            found.push(told("roots", HealthLevel::Converging, detail).next(next));
        }
        let left = authority.root_end().saturating_sub(now);
        if left < 365 * 86_400 {
            let detail = format!("the root that signs ends in {}", days(left));
            found.push(told("root", HealthLevel::Degraded, detail).next("philae fabric certificates rotate"));
        }
    }
    found
}

/// Most switches that are named in a line.
pub(crate) const NAMED: usize = 4;

pub(crate) fn agents(manager: &Manager, now: u64, found: &mut Vec<Trouble>) {
    let Some(agents) = manager.control_loop.agents() else { return };
    let told = |key: &str, detail: String| Trouble::new("security", key, HealthLevel::Degraded, detail);
    let (_, refused) = agents.refused();
    let (ended, others): (Vec<&RefusedCall>, Vec<&RefusedCall>) =
        refused.iter().filter(|refused| refused.at + RECENT_S > now).partition(|refused| refused.ended.is_some());
    // An agent that connects with a new certificate is no longer refused.
    let is_back = |refused: &RefusedCall| {
        refused.ended.as_ref().is_some_and(|(names, end)| {
            agents.peers().any(|peer| peer.not_after > *end && matches!(&peer.role, Role::Agent(own) if own == names))
        })
    };
    let ended: Vec<&RefusedCall> = ended.into_iter().filter(|refused| !is_back(refused)).collect();
    let until = |refused: &RefusedCall| crate::clock::utc(refused.at + RECENT_S);
    let from = |refused: &RefusedCall| refused.from.map_or_else(String::new, |from| format!(" from {}", from.ip()));
    if let Some(last) = others.last() {
        let count = counted(others.len(), "connection", "s");
        let from = from(last);
        let detail = format!(
            "{count} of agents refused in ten minutes, the last{from}: {}; told until {}",
            last.why,
            until(last)
        );
        let brief = format!("{count} of agents refused: {}", last.why);
        let next = "after a restore without keys: philae manager restore FILE --passphrase-file FILE, or let agents \
                    join again; find the program that connects from there";
        found.push(told("refused", detail).brief(brief).next(next));
    }
    if let Some(last) = ended.last() {
        let names: BTreeSet<&str> =
            ended.iter().flat_map(|refused| &refused.ended).flat_map(|(names, _)| names).map(String::as_str).collect();
        let mut names: Vec<&str> = names.into_iter().collect();
        names.sort_by(|one, other| natural(one, other));
        let first = names.first().copied().unwrap_or("x*c*r*b*");
        let more = if names.len() > NAMED { ", ..." } else { "" };
        let listed = names.iter().copied().take(NAMED).collect::<Vec<_>>().join(", ");
        let at = last.ended.as_ref().map_or(0, |(_, at)| *at);
        // The line says already that it has ended.
        let why = if last.why.ends_with("has ended") { String::new() } else { format!(" ({})", last.why) };
        let detail = format!(
            "the certificate of the agent of {listed}{more} ended at {}: it is refused, the last time{}{why}; told until {}, \
             or until it is renewed",
            crate::clock::utc(at),
            from(last),
            until(last)
        );
        let next = format!(
            "philae fabric certificates join --switches '{first}' join.token, then start the agent with --join-token-file join.token"
        );
        let brief = format!("the certificate of the agent of {first} has ended");
        found.push(told("ended", detail).brief(brief).next(next));
    }
    // An agent renews after two thirds of its certificate's life: with a sixth left, it has failed
    // for some time.
    let late = agents.authority().settings().life_s / 6;
    let ending = agents.peers().filter(|peer| peer.not_after < now + late).count();
    if ending > 0 {
        let certificates = if ending == 1 { "agent's certificate ends" } else { "agents' certificates end" };
        let detail = format!("{ending} {certificates} within {} and not renewed", days(late));
        let next = "philae fabric certificates; the agents' logs say why they do not renew";
        found.push(told("ending", detail).next(next));
    }
}
