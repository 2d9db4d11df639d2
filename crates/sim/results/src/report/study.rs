//! Reports of studies: text, tables with verdicts, and pictures in the order of the argument.

use std::fmt::Write as _;

use super::page::{banner, facts, page, paragraphs};
use crate::chart::{AgreementChart, BarChart, BoxChart, HeatMap, IntervalChart, LineChart, NetworkPicture, escape};
use crate::text;

/// The comparison of a result with a published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Within the tolerance.
    Pass,
    /// Outside it: a gap that stays in the report.
    Gap,
    /// Not run this time.
    NotRun,
}

impl Verdict {
    /// Its name in tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Gap => "gap",
            Self::NotRun => "not-run",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableRow {
    /// Cells, one per header.
    pub cells: Vec<String>,
    /// A badge at the end of the row.
    pub verdict: Option<Verdict>,
}

impl<T: Into<String>, const N: usize> From<[T; N]> for TableRow {
    fn from(cells: [T; N]) -> Self {
        Self { cells: cells.into_iter().map(Into::into).collect(), verdict: None }
    }
}

/// One part of a study's report.
#[derive(Clone, Debug, PartialEq)]
pub enum StudySection {
    /// A heading; the next sections belong to it.
    Heading(String),
    /// Paragraphs, separated by blank lines.
    Text(String),
    /// What was run: names with their values.
    Facts(Vec<(&'static str, String)>),
    /// A table. If a row has a verdict, a last column shows them.
    Table {
        /// Column headers, without the one of the verdicts.
        headers: Vec<String>,
        rows: Vec<TableRow>,
    },
    /// A matrix in colours.
    HeatMap(HeatMap),
    /// Lines or stacked areas.
    Lines(LineChart),
    Bars(BarChart),
    Boxes(BoxChart),
    /// Means with their intervals.
    Intervals(IntervalChart),
    /// A network.
    Network(NetworkPicture),
    /// Published results and a model's.
    Agreement(AgreementChart),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudyReport {
    pub title: String,
    /// The subject and method of the study, as paragraphs.
    pub intro: String,
    /// The warning at the top of the page if the study is not complete.
    pub banner: Option<String>,
    /// Parts, in order.
    pub sections: Vec<StudySection>,
    /// The last line: version, seed, command.
    pub footer: String,
}

impl StudyReport {
    /// The report as a self-contained HTML page.
    #[must_use]
    pub fn html(&self) -> String {
        let mut body = banner(self.banner.as_slice());
        let _ = write!(body, "<h1>{}</h1>{}", escape(&self.title), paragraphs(&self.intro));
        for section in &self.sections {
            body += &section.html();
        }
        if !self.footer.is_empty() {
            let _ = write!(body, "<footer>{}</footer>", escape(&self.footer));
        }
        page(&self.title, &body)
    }

    /// The report as text for a terminal: pictures other than heat maps are only in the page.
    #[must_use]
    pub fn text(&self, colour: bool) -> String {
        let mut out = format!("{}\n\n", text::bold(&self.title, colour));
        if let Some(banner) = &self.banner {
            let _ = writeln!(out, "{banner}\n");
        }
        if !self.intro.is_empty() {
            let _ = writeln!(out, "{}\n", self.intro.trim());
        }
        for section in &self.sections {
            let part = match section {
                StudySection::Heading(heading) => text::bold(heading, colour) + "\n",
                StudySection::Text(paragraph) => format!("{}\n", paragraph.trim()),
                StudySection::Facts(rows) => {
                    rows.iter().map(|(name, value)| format!("{name}: {value}\n")).collect::<String>()
                }
                StudySection::Table { headers, rows } => text_table(headers, rows, colour),
                StudySection::HeatMap(map) => text::heat_map(map, colour),
                StudySection::Lines(_)
                | StudySection::Bars(_)
                | StudySection::Boxes(_)
                | StudySection::Intervals(_)
                | StudySection::Network(_)
                | StudySection::Agreement(_) => continue,
            };
            let _ = writeln!(out, "{part}");
        }
        out
    }
}

impl StudySection {
    fn html(&self) -> String {
        match self {
            Self::Heading(heading) => format!("<h2>{}</h2>", escape(heading)),
            Self::Text(text) => paragraphs(text),
            Self::Table { headers, rows } => html_table(headers, rows),
            Self::HeatMap(map) => map.html(),
            Self::Lines(chart) => chart.html(),
            Self::Bars(chart) => chart.html(),
            Self::Boxes(chart) => chart.html(),
            Self::Facts(rows) => facts(rows),
            Self::Intervals(chart) => chart.html(),
            Self::Network(picture) => picture.html(),
            Self::Agreement(chart) => chart.html(),
        }
    }
}

fn html_table(headers: &[String], rows: &[TableRow]) -> String {
    let cells: Vec<Vec<String>> = rows.iter().map(|row| row.cells.clone()).collect();
    let numeric: Vec<bool> = (0..headers.len()).map(|column| text::is_numeric_column(&cells, column)).collect();
    let class = |column: usize| if numeric.get(column) == Some(&true) { " class=\"num\"" } else { "" };
    let verdicts = rows.iter().any(|row| row.verdict.is_some());
    let mut html = String::from("<div class=\"scroll\"><table><thead><tr>");
    for (column, header) in headers.iter().enumerate() {
        let _ = write!(html, "<th{}>{}</th>", class(column), escape(header));
    }
    html.push_str(if verdicts { "<th>verdict</th></tr></thead><tbody>" } else { "</tr></thead><tbody>" });
    for row in rows {
        html.push_str("<tr>");
        for column in 0..headers.len() {
            let cell = row.cells.get(column).map_or("", String::as_str);
            let _ = write!(html, "<td{}>{}</td>", class(column), escape(cell));
        }
        if verdicts {
            let badge = row.verdict.map_or(String::new(), |verdict| {
                let class = if verdict == Verdict::NotRun { "off" } else { verdict.as_str() };
                format!("<span class=\"badge {class}\">{}</span>", verdict.as_str())
            });
            let _ = write!(html, "<td>{badge}</td>");
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table></div>");
    html
}

fn text_table(headers: &[String], rows: &[TableRow], colour: bool) -> String {
    let verdicts = rows.iter().any(|row| row.verdict.is_some());
    let mut headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    if verdicts {
        headers.push("verdict");
    }
    let cells = |row: &TableRow| {
        let verdict = row.verdict.map_or("", Verdict::as_str).to_owned();
        row.cells.iter().cloned().chain(verdicts.then_some(verdict)).collect()
    };
    text::table(&headers, &rows.iter().map(cells).collect::<Vec<Vec<String>>>(), colour)
}
