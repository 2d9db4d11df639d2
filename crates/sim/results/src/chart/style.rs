//! The style of pages and pictures: light, dark and print from one set of variables.

use std::fmt::Write as _;

use super::heat::LEVELS;

/// Series colours on light ground, after Okabe and Ito, "Color universal design" (2008); the
/// yellow, unreadable on white, is darkened.
const SERIES_LIGHT: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#b6579a", "#e0a100", "#56b4e9", "#6b6b6b", "#8a7a12"];
/// The same hues on dark ground.
const SERIES_DARK: [&str; 8] = ["#4aa8e0", "#f08244", "#2fc49a", "#dd8cc2", "#f0bd3c", "#8fd0f7", "#a9a9a9", "#d9cf63"];
/// Heat scale on light ground: ColorBrewer YlGnBu, safe for the colour-blind, darker is more.
const HEAT_LIGHT: [[u8; 3]; 7] = [
    [0xfb, 0xfb, 0xe3],
    [0xd6, 0xef, 0xb9],
    [0x93, 0xd5, 0xb9],
    [0x45, 0xb4, 0xc2],
    [0x1f, 0x86, 0xba],
    [0x24, 0x4b, 0x9f],
    [0x0a, 0x1f, 0x5c],
];
/// Heat scale on dark ground: viridis, its dark end lifted off the page, brighter is more.
const HEAT_DARK: [[u8; 3]; 7] = [
    [0x25, 0x2b, 0x3d],
    [0x3b, 0x3f, 0x78],
    [0x35, 0x60, 0x8d],
    [0x23, 0x88, 0x8e],
    [0x2f, 0xb4, 0x7c],
    [0x90, 0xd7, 0x43],
    [0xfd, 0xe7, 0x25],
];

const BASE: &str = include_str!("style.css");

/// The whole style sheet.
pub(crate) fn style_sheet() -> String {
    let mut css = String::from(BASE);
    let _ = write!(css, ":root{{{}}}", variables(&SERIES_LIGHT, &HEAT_LIGHT));
    let _ = write!(
        css,
        "@media (prefers-color-scheme:dark){{@media screen{{:root{{{}}}}}}}",
        variables(&SERIES_DARK, &HEAT_DARK)
    );
    for index in 0..SERIES_LIGHT.len() {
        let _ = write!(css, ".s{index}{{--c:var(--s{index})}}");
    }
    for level in 0..LEVELS {
        let _ = write!(css, ".h{level}{{--f:var(--f{level});--t:var(--t{level})}}");
    }
    css
}

fn variables(series: &[&str], stops: &[[u8; 3]]) -> String {
    let mut text = String::new();
    for (index, colour) in series.iter().enumerate() {
        let _ = write!(text, "--s{index}:{colour};");
    }
    for level in 0..LEVELS {
        let [red, green, blue] = colour_at(stops, level as f64 / (LEVELS - 1) as f64);
        let ink = if luminance([red, green, blue]) > 0.46 { "#14181f" } else { "#ffffff" };
        let _ = write!(text, "--f{level}:#{red:02x}{green:02x}{blue:02x};--t{level}:{ink};");
    }
    text
}

fn colour_at(stops: &[[u8; 3]], position: f64) -> [u8; 3] {
    let place = position * (stops.len() - 1) as f64;
    let lower = (place.floor() as usize).min(stops.len() - 2);
    let share = place - lower as f64;
    std::array::from_fn(|channel| {
        let (from, to) = (f64::from(stops[lower][channel]), f64::from(stops[lower + 1][channel]));
        (from + (to - from) * share).round() as u8
    })
}

/// Perceived brightness, 0 to 1.
fn luminance([red, green, blue]: [u8; 3]) -> f64 {
    (0.299 * f64::from(red) + 0.587 * f64::from(green) + 0.114 * f64::from(blue)) / 255.0
}
