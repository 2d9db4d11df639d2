//! Widths and speeds of InfiniBand links, and the rates that follow from them.

use philae_units::LinkRate;
use std::fmt;
use std::str::FromStr;

/// A generation of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Speed {
    Sdr,
    Ddr,
    Qdr,
    Fdr10,
    Fdr,
    Edr,
    Hdr,
    Ndr,
    Xdr,
}

/// Word, data rate and signalling rate of a lane in kb/s.
///
/// Source: InfiniBand Architecture Specification, volume 2 (8b/10b up to QDR, 64b/66b from FDR10 to
/// EDR, PAM4 with RS(544,514) and 256b/257b from HDR on). Status: published.
const SPEEDS: [(Speed, &str, u64, u64); 9] = [
    (Speed::Sdr, "SDR", 2_000_000, 2_500_000),
    (Speed::Ddr, "DDR", 4_000_000, 5_000_000),
    (Speed::Qdr, "QDR", 8_000_000, 10_000_000),
    (Speed::Fdr10, "FDR10", 10_000_000, 10_312_500),
    (Speed::Fdr, "FDR", 13_636_364, 14_062_500),
    (Speed::Edr, "EDR", 25_000_000, 25_781_250),
    (Speed::Hdr, "HDR", 50_000_000, 53_125_000),
    (Speed::Ndr, "NDR", 100_000_000, 106_250_000),
    (Speed::Xdr, "XDR", 200_000_000, 212_500_000),
];

/// Widths of a port.
///
/// Source: InfiniBand Architecture Specification, volume 1, LinkWidthActive. Status: published.
const WIDTHS: [u8; 5] = [1, 2, 4, 8, 12];

/// How wide and how fast a link runs: `4xHDR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkWidth {
    speed: Speed,
    width: u8,
}

impl LinkWidth {
    /// What the link carries in one direction, after its encoding.
    #[must_use]
    pub fn rate(self) -> LinkRate {
        LinkRate((self.row().2 * u64::from(self.width) / 1_000) as u32)
    }

    /// What is on the wire in one direction.
    #[must_use]
    pub fn signalling(self) -> LinkRate {
        LinkRate((self.row().3 * u64::from(self.width) / 1_000) as u32)
    }

    fn row(self) -> &'static (Speed, &'static str, u64, u64) {
        &SPEEDS[self.speed as usize]
    }

    /// The widest and oldest lanes with exactly this rate; `None` where no width of any speed has
    /// it.
    #[must_use]
    pub(crate) fn of_rate(rate: LinkRate) -> Option<Self> {
        let with = |width: u8| SPEEDS.iter().map(move |row| Self { speed: row.0, width });
        [4, 2, 1, 12, 8].into_iter().flat_map(with).find(|lanes| lanes.rate() == rate)
    }

    /// By the masks of a link in a netlist of `ibsim`: `w=` enables widths (1 is 1x, 2 is 4x, 4 is
    /// 8x, 8 is 12x), `s=` speeds (1 is SDR, 2 is DDR, 4 is QDR). The link runs at the highest bit
    /// of each; without one of the two it is 4x or SDR. Seen with ibsim 0.10 and ibnetdiscover:
    /// `findings/ibsim-widths.sh`.
    ///
    /// # Errors
    /// The word that has no such bits.
    pub(crate) fn of_enabled(text: &str) -> Result<Option<Self>, String> {
        let mask = |key: char, bits: u32| {
            let found = text.split_whitespace().find(|word| word.starts_with(key) && word[1..].starts_with('='));
            let read = |word: &str| {
                let digits = &word[2..];
                let mask = match digits.strip_prefix("0x") {
                    Some(digits) => u32::from_str_radix(digits, 16),
                    None => digits.parse(),
                };
                mask.ok().filter(|mask| mask & bits != 0 && mask & !bits == 0).ok_or_else(|| word.to_owned())
            };
            found.map(read).transpose()
        };
        let (widths, speeds) = (mask('w', 0b1111)?, mask('s', 0b111)?);
        if widths.is_none() && speeds.is_none() {
            return Ok(None);
        }
        let width = [1, 4, 8, 12][widths.unwrap_or(2).ilog2() as usize];
        let speed = [Speed::Sdr, Speed::Ddr, Speed::Qdr][speeds.unwrap_or(1).ilog2() as usize];
        Ok(Some(Self { speed, width }))
    }

    /// By the numbers that `ibnetdiscover -f` adds to a line: `s=4 w=2 v=4 e=8`.
    pub(crate) fn of_numbers(text: &str) -> Option<Self> {
        let number = |key: char| {
            let word = text.split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))?;
            word.parse::<u32>().ok()
        };
        let width = match number('w')? {
            1 => 1,
            2 => 4,
            4 => 8,
            8 => 12,
            16 => 2,
            _ => return None,
        };
        let speed = match (number('e').unwrap_or(0), number('s').unwrap_or(0)) {
            (8, _) => Speed::Ndr,
            (4, _) => Speed::Hdr,
            (2, _) => Speed::Edr,
            (1, _) => Speed::Fdr,
            (0, 4) => Speed::Qdr,
            (0, 2) => Speed::Ddr,
            (0, 1) => Speed::Sdr,
            _ => return None,
        };
        Some(Self { speed, width })
    }
}

impl FromStr for LinkWidth {
    type Err = ();

    /// `4xHDR`, `4x HDR`, `4X HDR`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let at = text.find(['x', 'X']).ok_or(())?;
        let width = text[..at].parse().ok().filter(|width| WIDTHS.contains(width)).ok_or(())?;
        let word = text[at + 1..].trim();
        let row = SPEEDS.iter().find(|row| row.1.eq_ignore_ascii_case(word)).ok_or(())?;
        Ok(Self { speed: row.0, width })
    }
}

impl fmt::Display for LinkWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.row().1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_and_speeds_give_the_published_rates() {
        let rate = |text: &str| text.parse::<LinkWidth>().expect("a width and a speed").rate().0;
        assert_eq!(rate("4xSDR"), 8_000);
        assert_eq!(rate("1xSDR"), 2_000);
        assert_eq!(rate("4xDDR"), 16_000);
        assert_eq!(rate("12xQDR"), 96_000);
        assert_eq!(rate("4xFDR10"), 40_000);
        assert_eq!(rate("4xFDR"), 54_545);
        assert_eq!(rate("4x EDR"), 100_000);
        assert_eq!(rate("2xHDR"), 100_000);
        assert_eq!(rate("4xHDR"), 200_000);
        assert_eq!(rate("8X NDR"), 800_000);
        assert_eq!(rate("4xXDR"), 800_000);
        assert_eq!("1xSDR".parse::<LinkWidth>().expect("known").signalling().0, 2_500);
        for wrong in ["4x???", "??x???", "3xHDR", "HDR", "4x", "x", "", "4xHDRs"] {
            assert_eq!(wrong.parse::<LinkWidth>(), Err(()), "{wrong}");
        }
    }

    #[test]
    fn every_row_stands_at_its_speed() {
        for (place, row) in SPEEDS.iter().enumerate() {
            assert_eq!(row.0 as usize, place);
        }
        for width in WIDTHS {
            for row in SPEEDS {
                let lanes = LinkWidth { speed: row.0, width };
                assert_eq!(lanes.to_string().parse(), Ok(lanes));
                let back = LinkWidth::of_rate(lanes.rate()).expect("one has this rate");
                assert_eq!(back.rate(), lanes.rate());
            }
        }
        assert_eq!(LinkWidth::of_rate(LinkRate(200_000)).expect("known").to_string(), "4xHDR");
        assert_eq!(LinkWidth::of_rate(LinkRate(123)), None);
    }

    #[test]
    fn masks_of_ibsim_enable_widths_and_speeds_and_the_highest_bit_counts() {
        // ibsim 0.10 says "w=(1|4|12)" in its example, and takes the number for a mask.
        let lanes = |text: &str| LinkWidth::of_enabled(text).map(|lanes| lanes.map(|lanes| lanes.to_string()));
        for (text, wanted) in [
            ("w=1", "1xSDR"),
            ("w=2", "4xSDR"),
            ("w=4", "8xSDR"),
            ("w=8", "12xSDR"),
            ("w=12", "12xSDR"),
            ("s=4", "4xQDR"),
            ("w=3", "4xSDR"),
            ("\tw=0x8 s=7", "12xQDR"),
        ] {
            assert_eq!(lanes(text), Ok(Some(wanted.to_owned())), "{text}");
        }
        assert_eq!(lanes("(100001)"), Ok(None));
        for bad in ["w=16", "w=0", "s=8", "w=four", "s="] {
            assert_eq!(lanes(bad), Err(bad.to_owned()));
        }
    }

    #[test]
    fn numbers_of_the_full_report_are_the_ports_own() {
        let lanes = |text: &str| LinkWidth::of_numbers(text).map(|lanes| lanes.to_string());
        assert_eq!(lanes("\"a\" lid 3 4x??? s=4 w=2 v=4 e=8").as_deref(), Some("4xNDR"));
        assert_eq!(lanes("s=1 w=16 v=4").as_deref(), Some("2xSDR"));
        assert_eq!(lanes("s=4 v=4"), None);
    }
}
