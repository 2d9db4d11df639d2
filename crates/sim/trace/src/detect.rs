//! Detection of the format of a file, by its content and its name.

use crate::format::TraceFormat;

impl TraceFormat {
    /// The format of a file. What its content says goes before its name: many tools write files of
    /// usual endings, and people rename them. A list of files has no mark of its own, so it comes
    /// last.
    #[must_use]
    pub fn detect(file: &str, bytes: &[u8]) -> Option<Self> {
        if let Some(format) = Self::of_content(bytes) {
            return Some(format);
        }
        if crate::other::marked_kind(bytes).is_some() {
            return None;
        }
        let of_name = match file.strip_suffix(".gz").unwrap_or(file).rsplit_once('.').map(|(_, end)| end) {
            Some("goal") => Some(Self::Goal),
            Some("et") => Some(Self::Chakra),
            Some("cm") => Some(Self::Htsim),
            _ => None,
        };
        of_name.or_else(|| crate::smpi::listed_files(bytes).map(|_| Self::Smpi))
    }

    /// The format that the beginning of a file shows.
    fn of_content(bytes: &[u8]) -> Option<Self> {
        if bytes.get(..8) == Some(&crate::goal::COOKIE.to_le_bytes()) {
            return Some(Self::GoalBinary);
        }
        if bytes.get(..8) == Some(&crate::provider::MAGIC) {
            return Some(Self::Provider);
        }
        if crate::chakra::looks_like(bytes) {
            return Some(Self::Chakra);
        }
        let head = &bytes[..bytes.len().min(HEAD_BYTES)];
        let head = std::str::from_utf8(head)
            .unwrap_or_else(|error| std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default())
            .trim_start_matches('\u{feff}');
        let mut lines = head.lines().map(str::trim).filter(|line| !line.is_empty() && !is_comment(line));
        let first: Vec<&str> = lines.next()?.split_whitespace().collect();
        let second = lines.next().unwrap_or_default();
        match first.as_slice() {
            ["num_ranks", ..] => Some(Self::Goal),
            ["Nodes", ..] if second.starts_with("Connections") => Some(Self::Htsim),
            [rank, action, ..] if rank.parse::<u32>().is_ok() && crate::smpi::is_action(action) => Some(Self::Smpi),
            [kind, ..] if crate::simai::is_parallelism(kind) && second.parse::<u32>().is_ok() => Some(Self::SimAi),
            _ => None,
        }
    }
}

/// Comments of text formats. A single `/` begins a path.
fn is_comment(line: &str) -> bool {
    line.starts_with('#') || line.starts_with("//") || line.starts_with("/*")
}

/// Bytes at the beginning of a file that identify it.
const HEAD_BYTES: usize = 4_096;
