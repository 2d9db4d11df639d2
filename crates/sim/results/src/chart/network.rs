//! A network as a circle of groups or switches, joined by links in the colour of their use.

use std::f64::consts::TAU;

use super::canvas::Canvas;
use super::heat::LEVELS;
use crate::format::percent;

/// Width and height of the picture.
const SIZE: f64 = 560.0;
/// Distance of the circle from the border: room for labels.
const MARGIN: f64 = 60.0;
/// Nodes up to which each has its label.
const LABELLED: usize = 48;

/// Two nodes with links between them.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkLink {
    /// Positions of the nodes.
    pub ends: [usize; 2],
    /// Utilisation, 0 to 1.
    pub used: f64,
    /// What it is, when a reader points at it.
    pub label: String,
}

/// A picture of a network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NetworkPicture {
    pub title: String,
    /// Labels, around the circle.
    pub nodes: Vec<String>,
    /// Utilisation of the links inside each node, if it has some: 0 to 1.
    pub inside: Vec<Option<f64>>,
    pub links: Vec<NetworkLink>,
    /// A sentence below the picture.
    pub note: String,
    /// The ends of the colours, high and low, where they are not shares of the links' rates.
    pub scale: Option<[String; 2]>,
}

/// The class of the colour of a utilisation.
fn colour(used: f64) -> String {
    format!("h{}", (used.clamp(0.0, 1.0) * (LEVELS - 1) as f64).round() as usize)
}

impl NetworkPicture {
    /// The picture as an HTML figure.
    #[must_use]
    pub fn html(&self) -> String {
        let mut canvas = Canvas::new(&self.title, SIZE + 200.0, SIZE);
        let count = self.nodes.len().max(1) as f64;
        let place = |node: usize, radius: f64| {
            let angle = TAU * node as f64 / count - TAU / 4.0;
            (SIZE / 2.0 + radius * angle.cos(), SIZE / 2.0 + radius * angle.sin())
        };
        let radius = SIZE / 2.0 - MARGIN;
        // The busiest on top.
        let mut links: Vec<&NetworkLink> = self.links.iter().collect();
        links.sort_by(|one, other| one.used.total_cmp(&other.used));
        for link in links {
            let [(x1, y1), (x2, y2)] = link.ends.map(|node| place(node, radius));
            let path = format!("M{x1:.0} {y1:.0}L{x2:.0} {y2:.0}");
            let used = if self.scale.is_none() { format!(": {}", percent(link.used)) } else { String::new() };
            canvas.path(&format!("netlink {}", colour(link.used)), &path, &format!("{}{used}", link.label));
        }
        let every = self.nodes.len().div_ceil(LABELLED).max(1);
        for (node, label) in self.nodes.iter().enumerate() {
            let inside = self.inside.get(node).copied().flatten();
            let class = inside.map_or_else(|| "netnode none".to_owned(), |used| format!("netnode {}", colour(used)));
            let within = inside.map_or_else(String::new, |used| format!(", links inside: {}", percent(used)));
            canvas.circle(
                &class,
                place(node, radius),
                if self.nodes.len() > 64 { 4.0 } else { 7.0 },
                &format!("{label}{within}"),
            );
            if node % every == 0 {
                let (x, y) = place(node, radius + 16.0);
                let anchor = if x < SIZE / 2.0 - 4.0 {
                    "tick end"
                } else if x > SIZE / 2.0 + 4.0 {
                    "tick"
                } else {
                    "tick mid"
                };
                canvas.text(anchor, (x, y + 4.0), label);
            }
        }
        let (left, top, swatch) = (SIZE + 20.0, SIZE / 2.0 - LEVELS as f64 * 5.0, 10.0);
        for level in 0..LEVELS {
            let y = top + (LEVELS - 1 - level) as f64 * swatch;
            canvas.rect(&format!("cell h{level}"), (left, y), (12.0, swatch + 0.4), "");
        }
        let [high, low] = match &self.scale {
            Some([high, low]) => [high.as_str(), low.as_str()],
            None => ["100 %", "0 % of the link's rate"],
        };
        canvas.text("tick", (left + 18.0, top + 10.0), high);
        canvas.text("tick", (left + 18.0, top + LEVELS as f64 * swatch), low);
        if !self.note.is_empty() {
            canvas.note(self.note.clone());
        }
        canvas.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busy_links_have_another_colour_than_idle_ones() {
        let link = |ends, used| NetworkLink { ends, used, label: "groups".to_owned() };
        let picture = NetworkPicture {
            nodes: (0..3).map(|group| format!("group {group}")).collect(),
            inside: vec![Some(0.5), None, Some(0.0)],
            links: vec![link([0, 1], 1.0), link([1, 2], 0.0)],
            ..NetworkPicture::default()
        };
        let html = picture.html();
        assert!(html.contains("netlink h19") && html.contains("netlink h0") && html.contains("netnode none"), "{html}");
        assert!(html.contains("group 2") && html.contains("100 %"));
        assert!(html.find("netlink h0") < html.find("netlink h19"), "the busiest link is drawn last, on top");
    }
}
