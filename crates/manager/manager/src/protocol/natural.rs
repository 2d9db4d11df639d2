//! The order of names in which numbers count as numbers.

/// An order of texts in which numbers count as numbers: `c9` before `c10`.
pub fn natural(one: &str, other: &str) -> std::cmp::Ordering {
    let (mut left, mut right) = (one, other);
    loop {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (mine, others) = (digits(left), digits(right));
        if mine > 0 && others > 0 {
            // Numbers of any length: compared by their digits without leading zeros.
            let (a, b) = (left[..mine].trim_start_matches('0'), right[..others].trim_start_matches('0'));
            let order = a.len().cmp(&b.len()).then_with(|| a.cmp(b));
            if order.is_ne() {
                return order;
            }
            (left, right) = (&left[mine..], &right[others..]);
            continue;
        }
        let (mut a, mut b) = (left.chars(), right.chars());
        match (a.next(), b.next()) {
            // Numbers that differ only in leading zeros are ordered by their text.
            (None, None) => return one.cmp(other),
            (a, b) if a != b => return a.cmp(&b),
            _ => (left, right) = (a.as_str(), b.as_str()),
        }
    }
}
