//! The frame of a report and its plain parts: page, tiles, tables.

use std::fmt::Write as _;

use crate::chart::{escape, style};

/// A whole page that needs no network.
pub(crate) fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{title}</title><style>{style}</style></head><body><main>\n{body}\n</main></body></html>\n",
        title = escape(title),
        style = style::style_sheet()
    )
}

/// The most important information, above the title: a line each. Empty if there is none.
pub(super) fn banner(lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = lines.iter().map(|line| escape(line)).collect();
    format!("<div class=\"banner\" role=\"note\">{}</div>", lines.join("<br>"))
}

/// Text as paragraphs, split at blank lines.
pub(super) fn paragraphs(text: &str) -> String {
    text.split("\n\n")
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(|part| format!("<p>{}</p>", escape(part)))
        .collect()
}

/// Figures in tiles: `(figure, its name)`.
pub(super) fn tiles(figures: &[(String, &str)]) -> String {
    let tile = |(figure, name): &(String, &str)| {
        format!("<div class=\"tile\"><b>{}</b><span>{}</span></div>", escape(figure), escape(name))
    };
    format!("<div class=\"tiles\">{}</div>", figures.iter().map(tile).collect::<String>())
}

/// Facts in two columns.
pub(super) fn facts(rows: &[(&str, String)]) -> String {
    let row = |(name, value): &(&str, String)| format!("<tr><th>{}</th><td>{}</td></tr>", escape(name), escape(value));
    format!("<table class=\"facts\"><tbody>{}</tbody></table>", rows.iter().map(row).collect::<String>())
}

/// A table whose cells are text. Columns in which every cell reads as a figure are aligned right.
pub(crate) fn table(headers: &[&str], rows: &[Vec<String>]) -> String {
    let numeric: Vec<bool> = (0..headers.len()).map(|column| crate::text::is_numeric_column(rows, column)).collect();
    let class = |column: usize| if numeric.get(column) == Some(&true) { " class=\"num\"" } else { "" };
    let mut html = String::from("<div class=\"scroll\"><table><thead><tr>");
    for (column, header) in headers.iter().enumerate() {
        let _ = write!(html, "<th{}>{}</th>", class(column), escape(header));
    }
    html.push_str("</tr></thead><tbody>");
    for row in rows {
        html.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let _ = write!(html, "<td{}>{}</td>", class(column), escape(cell));
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table></div>");
    html
}
