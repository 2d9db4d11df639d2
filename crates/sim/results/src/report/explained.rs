//! Explained messages in the report of a run.

use std::fmt::Write as _;

use super::page::table;
use crate::chart::escape;
use crate::explain::explanations;
use crate::record::RunRecord;

/// Messages that the report shows; the table has all.
const SHOWN: usize = 20;

/// The time of explained messages; empty if none is explained.
pub(crate) fn explained(record: &RunRecord) -> String {
    let found = explanations(record);
    if found.is_empty() {
        return String::new();
    }
    let mut html = String::from(
        "<h2>Explained messages</h2><p>The parts of a message add up to its latency. They follow the packet that \
         completed it. The time of a part is shared among flows by the bytes that each sent before the message. All \
         rows are in \
         explained.parquet and blockers.parquet.</p>",
    );
    for explanation in found.iter().take(SHOWN) {
        let _ = write!(html, "<h3>{}</h3>", escape(&explanation.title()));
        let (headers, rows) = explanation.part_table();
        html += &table(headers, &rows);
        if explanation.held_back_by.is_empty() {
            html += "<p>Waited for no flow.</p>";
            continue;
        }
        html += "<p>Waited for:</p>";
        let (headers, rows) = explanation.flow_table();
        html += &table(headers, &rows);
        if explanation.flows_left_out() > 0 {
            let _ = write!(html, "<p class=\"muted\">And {} more flows.</p>", explanation.flows_left_out());
        }
    }
    if found.len() > SHOWN {
        let _ = write!(html, "<p class=\"muted\">And {} more messages.</p>", found.len() - SHOWN);
    }
    html
}
