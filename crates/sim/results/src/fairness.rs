//! Fairness of shares.

/// Jain's fairness index of the shares: 1 if all are equal, 1/n if one of n has everything.
///
/// `None` if there are no shares or all are zero. Shares are not negative.
/// Source: Jain, Chiu, Hawe, "A quantitative measure of fairness", DEC-TR-301 (1984), equation 2.
#[must_use]
pub fn jain_index(shares: &[f64]) -> Option<f64> {
    let sum: f64 = shares.iter().sum();
    let squares: f64 = shares.iter().map(|share| share * share).sum();
    (squares > 0.0).then(|| sum * sum / (shares.len() as f64 * squares))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_shares_are_perfectly_fair() {
        assert_eq!(jain_index(&[5.0; 8]), Some(1.0));
    }

    #[test]
    fn one_winner_among_four_is_a_quarter_fair() {
        assert_eq!(jain_index(&[9.0, 0.0, 0.0, 0.0]), Some(0.25));
    }

    #[test]
    fn nothing_shared_has_no_index() {
        assert_eq!(jain_index(&[]), None);
        assert_eq!(jain_index(&[0.0, 0.0]), None);
    }
}
