//! Random scenarios, each from its number.

use philae_engine::RandomStream;

/// Purpose of the random stream.
const DRAW: u64 = u64::from_be_bytes(*b"fluid---");
/// Maximum payload of a scenario, so that a run in packets takes seconds. Source: ours. Status:
/// assumed.
const PAYLOAD_MAX: u64 = 96 << 20;
const LAWS: [&str; 4] = ["slingshot", "none", "ecn", "aries"];
const PATTERNS: [&str; 7] = ["permutation", "uniform", "incast", "alltoall", "shift", "mixed", "allreduce"];

/// A scenario that was drawn.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Its text.
    pub toml: String,
    /// Its system, in words.
    pub system: String,
    /// Its congestion law.
    pub law: &'static str,
    pub routing: &'static str,
    /// `classes` if two classes share the links, `degraded` if links between groups are down,
    /// otherwise `plain`.
    pub network: &'static str,
    /// Its traffic.
    pub pattern: &'static str,
    /// Size of a message.
    pub bytes: u64,
}

/// The scenario of this number.
#[must_use]
pub fn draw(number: u32) -> Drawn {
    let mut random = RandomStream::new(u64::from(number), 0, DRAW);
    // Laws and patterns rotate, so any 28 consecutive scenarios have each pair once; every fourth
    // 28 have another routing than the adaptive one.
    let law = LAWS[number as usize % LAWS.len()];
    let pattern = PATTERNS[number as usize / LAWS.len() % PATTERNS.len()];
    let routing = match number as usize / (LAWS.len() * PATTERNS.len()) % 8 {
        3 => "minimal",
        7 => "valiant",
        _ => "adaptive",
    };
    let (system, endpoints, text) = draw_system(&mut random, number);
    let bytes = 1_u64 << (12 + random.below(9));
    let ranks = u64::from(endpoints.min(8 << random.below(8)).max(8));
    let network = match number % 9 {
        // The pauses of `ecn` need more buffer than each of two classes has.
        4 if law != "ecn" => "classes",
        7 if text.contains("dragonfly") => "degraded",
        _ => "plain",
    };
    let ranks = if network == "classes" { (ranks / 2).max(4) } else { ranks };
    let messages = |each: u64, senders: u64| (PAYLOAD_MAX / (each * senders)).clamp(1, 16);
    let stream = |kind: &str, ranks: u64| {
        let iterations = messages(bytes, ranks);
        format!("{{ kind = \"{kind}\", bytes = {bytes}, window = {}, iterations = {iterations} }}", 1 << (number % 3))
    };
    let mut jobs: Vec<(&str, u64, String)> = match pattern {
        "permutation" => vec![("job", ranks, stream("permutation", ranks))],
        "uniform" => vec![("job", ranks, stream("uniform-random", ranks))],
        "shift" => {
            let by = 1 + random.below(ranks as u32 - 1);
            let workload = stream("shift", ranks).replace("{ ", &format!("{{ by = {by}, "));
            vec![("job", ranks, workload)]
        }
        "incast" => vec![("job", ranks, incast(bytes, messages(bytes, ranks)))],
        "allreduce" => {
            let bytes = bytes.min(PAYLOAD_MAX / (2 * ranks)) & !1_023;
            vec![("job", ranks, format!("{{ kind = \"allreduce\", bytes = {bytes}, iterations = 2 }}"))]
        }
        "alltoall" => {
            let ranks = ranks.min(64);
            let block = bytes.min(PAYLOAD_MAX / (ranks * ranks)).max(512);
            vec![("job", ranks, format!("{{ kind = \"alltoall\", bytes = {block}, iterations = 1 }}"))]
        }
        _ => {
            let half = ranks / 2;
            vec![
                ("victim", half, stream("permutation", half)),
                ("aggressor", half, incast(bytes, messages(bytes, half))),
            ]
        }
    };
    let mut toml = format!("name = \"drawn {number}\"\nseed = {number}\nallocation = \"interleaved\"\n\n{text}");
    toml += &format!("\n[congestion]\nlaw = \"{law}\"\n");
    toml += &format!("\n[routing]\nmode = \"{routing}\"\n");
    toml += &match network {
        "classes" => {
            if jobs.len() == 1 {
                jobs.push(("other", jobs[0].1, jobs[0].2.clone()));
            }
            let assured = 10 + random.below(60);
            format!(
                "\n[[class]]\nname = \"one\"\nassured_percent = {assured}\n\n[[class]]\nname = \"two\"\nassured_percent = {}\nceiling_percent = {}\n",
                random.below(30),
                40 + random.below(61)
            )
        }
        "degraded" => {
            let faults = (0..1 + random.below(2)).map(|group| {
                format!("\n[[fault]]\nkind = \"link_down\"\nat = \"0us\"\nlink = \"groups:{group}-{}\"\n", group + 1)
            });
            std::iter::once("\n[faults]\nreroute = \"1us\"\n".to_owned()).chain(faults).collect()
        }
        _ => String::new(),
    };
    for (number, (name, nodes, workload)) in jobs.into_iter().enumerate() {
        toml += &format!("\n[[job]]\nname = \"{name}\"\nnodes = {nodes}\nworkload = {workload}\n");
        if network == "classes" {
            toml += &format!("class = \"{}\"\n", ["one", "two"][number]);
        }
    }
    Drawn { toml, system, law, routing, network, pattern, bytes }
}

fn incast(bytes: u64, iterations: u64) -> String {
    format!("{{ kind = \"incast\", bytes = {bytes}, iterations = {iterations} }}")
}

/// A dragonfly, or every fifth time a fat tree, of 32 to 4,096 endpoints.
fn draw_system(random: &mut RandomStream, number: u32) -> (String, u32, String) {
    let head = |summary: &str| {
        format!("[system]\nname = \"drawn\"\nsummary = \"{summary}\"\nswitch = \"rosetta\"\nnic = \"cassini-1\"\n\n")
    };
    if number % 5 == 4 {
        let (leaves, below) = (4 << random.below(4), 8 << random.below(3));
        let spines = (below >> random.below(2)).max(1);
        let words = format!("fat tree {leaves}x{below} under {spines}");
        let text = format!(
            "{}[system.fat_tree]\nleaves = {leaves}\nendpoints_per_leaf = {below}\nspines = {spines}\n",
            head(&words)
        );
        return (words, leaves * below, text);
    }
    let (groups, switches, each) = (3 + random.below(14), 4 << random.below(3), 4 << random.below(3));
    let links = (1 + random.below(2 * switches)).min(32 * switches / groups).max(1);
    let words = format!("dragonfly {groups}x{switches}x{each} with {links}");
    let text = format!(
        "{}[system.dragonfly]\nlinks_per_pair = {links}\ngroups = [{{ name = \"compute\", count = {groups}, switches = {switches}, endpoints_per_switch = {each} }}]\n",
        head(&words)
    );
    (words, groups * switches * each, text)
}
