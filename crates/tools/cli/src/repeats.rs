//! A warning that would come again and again: it is printed once, and the number of its repeats at
//! the end.

use philae_units::counted;

/// The repeats of one warning. They are printed when another comes, and at the end.
#[derive(Debug)]
pub struct RepeatedWarning {
    /// What it is about, in the singular: `checkpoint`.
    event: &'static str,
    said: Option<String>,
    repeats: usize,
    /// Where it came last.
    last: String,
}

impl RepeatedWarning {
    pub const fn new(event: &'static str) -> Self {
        Self { event, said: None, repeats: 0, last: String::new() }
    }

    /// What to print now that `reason` came at `place`: nothing if it came before.
    fn next(&mut self, place: String, reason: &str) -> Vec<String> {
        if self.said.as_deref() == Some(reason) {
            (self.repeats, self.last) = (self.repeats + 1, place);
            return Vec::new();
        }
        let mut lines: Vec<String> = self.rest().into_iter().collect();
        lines.push(format!("warning: at {place}, {reason}"));
        self.said = Some(reason.to_owned());
        lines
    }

    /// The line about the repeats; none if there were none.
    fn rest(&mut self) -> Option<String> {
        let repeats = std::mem::take(&mut self.repeats);
        let more = counted(repeats, &format!("more {}", self.event));
        (repeats > 0).then(|| format!("warning: the same for {more}, the last at {}", self.last))
    }

    /// Prints `reason` at `place`, unless it was printed before.
    pub fn say(&mut self, place: String, reason: &str) {
        self.next(place, reason).iter().for_each(|line| philae_console::note!("{line}"));
    }
}

impl Drop for RepeatedWarning {
    fn drop(&mut self) {
        self.rest().iter().for_each(|line| philae_console::note!("{line}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_are_counted_and_another_reason_is_said() {
        let mut warning = RepeatedWarning::new("checkpoint");
        assert_eq!(warning.next("1 us".to_owned(), "full"), ["warning: at 1 us, full"]);
        assert!(warning.next("2 us".to_owned(), "full").is_empty());
        assert!(warning.next("3 us".to_owned(), "full").is_empty());
        let lines = warning.next("4 us".to_owned(), "gone");
        assert_eq!(lines, ["warning: the same for 2 more checkpoints, the last at 3 us", "warning: at 4 us, gone"]);
        assert_eq!(warning.rest(), None);
    }
}
