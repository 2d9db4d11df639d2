//! Files for monitoring the manager: alert rules for Prometheus, a dashboard for Grafana.

/// Alert rules, each with its meaning and what to do.
pub const ALERTS: &str = include_str!("../monitoring/alerts.yaml");

pub const DASHBOARD: &str = include_str!("../monitoring/grafana.json");
