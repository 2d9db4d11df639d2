//! Lists of nodes: numbers and ranges, and the output of SST's generators of node lists.
//!
//! Source: sstsimulator/sst-elements, src/sst/elements/ember/test, generateNidList*.py. Status:
//! published.

use super::python_random::PythonRandom;
use super::{LoadError, number, wrong};

/// Maximum number of nodes of a job, and of a system that a generator draws from.
const NODES_MAX: u64 = 1 << 20;

/// The seed of generateNidListRandom.
const RANDOM_SEED: u64 = 0xf00d_beef;

const EXPECTED: &str = "nodes and ranges such as 0-15,20, or generateNidList= with generateNidListRange(start,length), \
    generateNidListInterval(start,length,interval), generateNidListGroup(start,groups,nodes,interval), \
    generateNidListRandom(total,start,length) or generateNidListQOS(total,class,...)";

/// Reads the lists of one file: some generators give each job the nodes that earlier jobs have
/// left.
#[derive(Debug, Default)]
pub struct NodeLists {
    /// Nodes that generateNidListQOS has not assigned, in its order.
    left: Option<Vec<u32>>,
}

impl NodeLists {
    /// `0-15,20`, or `generateNidList=generateNidListRange(start,length)`.
    pub fn read(&mut self, value: &str, line: usize, warnings: &mut Vec<String>) -> Result<Vec<u32>, LoadError> {
        let words: Vec<&str> = value.split_whitespace().collect();
        // Blanks may stand next to commas and brackets. Between two numbers they would join digits.
        let joined = words.windows(2).find(|pair| {
            let is_digit = |sign: Option<char>| sign.is_some_and(|sign| sign.is_ascii_digit());
            is_digit(pair[0].chars().last()) && is_digit(pair[1].chars().next())
        });
        if let Some(pair) = joined {
            return Err(wrong(line, format!("'{} {}'", pair[0], pair[1]), "commas between nodes, such as 0,1,4-7"));
        }
        let value: String = words.concat();
        let nodes = match value.strip_prefix("generateNidList=") {
            Some(generator) => self.generated(generator, line, warnings)?,
            None => listed(&value, line)?,
        };
        let mut sorted = nodes.clone();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(wrong(line, format!("node {} twice", pair[0]), "each node once")),
            None => Ok(nodes),
        }
    }

    fn generated(&mut self, generator: &str, line: usize, warnings: &mut Vec<String>) -> Result<Vec<u32>, LoadError> {
        let unknown = || wrong(line, format!("'{generator}'"), EXPECTED);
        let (name, arguments) =
            generator.strip_suffix(')').and_then(|rest| rest.split_once('(')).ok_or_else(unknown)?;
        let words: Vec<&str> = arguments.split(',').collect();
        let at = |place: usize, what: &str, least: u64, most: u64| {
            let word = words.get(place).ok_or_else(unknown)?;
            number(word, line, what, least, most)
        };
        let node = |place: usize| at(place, "a node", 0, u64::from(u32::MAX) - 1);
        let count = |place: usize| at(place, "a number of nodes", 1, NODES_MAX);
        let step = |place: usize| at(place, "an interval", 1, NODES_MAX);
        let mut nodes = Nodes { line, list: Vec::new() };
        match (name, words.len()) {
            ("generateNidListRange", 2) => nodes.add(node(0)?, node(0)? + count(1)? - 1)?,
            ("generateNidListInterval", 3) => {
                let (start, interval) = (node(0)?, step(2)?);
                (0..count(1)?).try_for_each(|place| nodes.add(start + place * interval, start + place * interval))?;
            }
            ("generateNidListGroup", 4) => {
                let (start, each, interval) = (node(0)?, count(2)?, step(3)?);
                let mut group = |place: u64| nodes.add(start + place * interval, start + place * interval + each - 1);
                (0..count(1)?).try_for_each(&mut group)?;
            }
            ("generateNidListRandom", 3) => {
                let (total, start, length) = (count(0)?, at(1, "a place", 0, NODES_MAX)?, count(2)?);
                if start + length > total {
                    return Err(wrong(
                        line,
                        format!("{length} nodes from position {start}"),
                        format!("at most {total} in all"),
                    ));
                }
                let drawn = PythonRandom::new(RANDOM_SEED).sample_all((0..total as u32).collect());
                nodes.list = drawn[start as usize..(start + length) as usize].to_vec();
            }
            ("generateNidListQOS", 4..) => {
                let total = count(0)?;
                let class = at(1, "a class", 0, NODES_MAX)?;
                warnings.push(format!(
                    "line {line}: class {class} of generateNidListQOS is ignored: a job's key `class` selects a class"
                ));
                let left = self.left.get_or_insert_with(|| (0..total as u32).collect());
                nodes.list = left_over(left, &words[2..], line)?;
            }
            _ => return Err(unknown()),
        }
        Ok(nodes.list)
    }
}

/// The nodes so far.
struct Nodes {
    line: usize,
    list: Vec<u32>,
}

impl Nodes {
    fn add(&mut self, first: u64, last: u64) -> Result<(), LoadError> {
        let (have, line) = (self.list.len() as u64, self.line);
        let is_small = first <= last && last < u64::from(u32::MAX) && last - first + have < NODES_MAX;
        if !is_small {
            let expected = format!("a rising range, at most {NODES_MAX} nodes");
            return Err(wrong(line, format!("nodes {first} to {last}"), expected));
        }
        self.list.extend((first..=last).map(|node| node as u32));
        Ok(())
    }
}

fn listed(value: &str, line: usize) -> Result<Vec<u32>, LoadError> {
    let at = |word: &str| number(word, line, "a node", 0, u64::from(u32::MAX) - 1);
    let mut nodes = Nodes { line, list: Vec::new() };
    for part in value.split(',') {
        if !part.starts_with(|first: char| first.is_ascii_digit()) {
            return Err(wrong(line, format!("'{part}'"), EXPECTED));
        }
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        nodes.add(at(first)?, at(last)?)?;
    }
    Ok(nodes.list)
}

/// Takes nodes from those that are left, as generateNidListQOS does: `linear,size`,
/// `interval,start,interval[,count]`, `random,size,seed` or `random-linear,size,seed`.
fn left_over(left: &mut Vec<u32>, words: &[&str], line: usize) -> Result<Vec<u32>, LoadError> {
    const WORKS: &str = "linear,size, interval,start,interval, random,size,seed or random-linear,size,seed";
    let missing = || wrong(line, format!("'{}'", words.join(",")), WORKS);
    let at = |place: usize, what: &str, least: u64| {
        words.get(place).ok_or_else(missing).and_then(|word| number(word, line, what, least, NODES_MAX))
    };
    let take = |left: &mut Vec<u32>| -> Result<Vec<u32>, LoadError> {
        let size = at(1, "a number of nodes", 1)?;
        if size > left.len() as u64 {
            return Err(wrong(line, format!("{size} nodes"), format!("at most the {} that are left", left.len())));
        }
        Ok(left.drain(..size as usize).collect())
    };
    match (words[0], words.len()) {
        ("linear", 2) => {
            left.sort_unstable();
            take(left)
        }
        ("random" | "random-linear", 2) => {
            Err(wrong(line, "random nodes without a seed, which differ in every run of SST", "a seed after the size"))
        }
        ("random" | "random-linear", 3) => {
            PythonRandom::new(at(2, "a seed", 0)?).shuffle(left);
            let mut nodes = take(left)?;
            if words[0] == "random-linear" {
                nodes.sort_unstable();
            }
            Ok(nodes)
        }
        ("interval", 3 | 4) => {
            let (start, interval) = (at(1, "a place", 0)?, at(2, "an interval", 1)?);
            let most = if words.len() > 3 { at(3, "a number of nodes", 1)? } else { NODES_MAX };
            left.sort_unstable();
            // Removing a node moves those behind it up by one.
            let places: Vec<usize> = (0..most)
                .map(|taken| (start + taken * interval) as usize)
                .take_while(|&place| place < left.len())
                .collect();
            let nodes = places.iter().map(|&place| left[place]).collect();
            let mut at = 0;
            let mut taken = places.into_iter().peekable();
            left.retain(|_| {
                at += 1;
                taken.next_if_eq(&(at - 1)).is_none()
            });
            Ok(nodes)
        }
        _ => Err(missing()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(lists: &[&str]) -> Vec<Vec<u32>> {
        let (mut reader, mut warnings) = (NodeLists::default(), Vec::new());
        lists
            .iter()
            .map(|list| reader.read(list, 1, &mut warnings).unwrap_or_else(|error| panic!("{list}: {error}")))
            .collect()
    }

    #[test]
    fn generators_give_what_those_of_sst_give() {
        // Each is the result of the Python file of that name, under CPython 3.11.
        assert_eq!(all(&["generateNidList=generateNidListInterval(1,4,2)"]), [[1, 3, 5, 7]]);
        assert_eq!(all(&["generateNidList=generateNidListGroup(2,2,3,10)"]), [[2, 3, 4, 12, 13, 14]]);
        assert_eq!(all(&["generateNidList=generateNidListRandom(12,2,4)"]), [[0, 4, 9, 5]]);
        let qos = |rest: &str| format!("generateNidList=generateNidListQOS(16,0,{rest})");
        let lists = all(&[&qos("interval,0,4,3"), &qos("linear,3"), &qos("random,4,1"), &qos("random-linear,6,1")]);
        assert_eq!(lists, [vec![0, 4, 8], vec![1, 2, 3], vec![12, 14, 15, 13], vec![5, 6, 7, 9, 10, 11]]);
    }

    #[test]
    fn wrong_generators_say_what_works() {
        for (list, words) in [
            ("generateNidList=generateNidListRandom(10,5,6)", "at most 10"),
            ("generateNidList=generateNidListQOS(8,0,random,4)", "a seed after the size"),
            ("generateNidList=generateNidListQOS(8,0,linear,9)", "the 8 that are left"),
            ("generateNidList=generateNidListQOS(8,0,spiral,9)", "linear,size"),
            ("generateNidList=generateNidListInterval(0,4,0)", "an interval"),
            ("generateNidList=generateNidListInterval(0,4)", "generateNidListGroup"),
            ("generateNidList=generateNidListFancy(0,4)", "generateNidListGroup"),
            ("generateNidList=generateNidListGroup(0,3,8,4)", "each node once"),
        ] {
            let error = NodeLists::default().read(list, 1, &mut Vec::new()).expect_err(list).to_string();
            assert!(error.contains(words), "{list}: {error}");
        }
    }
}
