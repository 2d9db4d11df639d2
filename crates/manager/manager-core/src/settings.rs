//! Timers and limits, all adjustable while the manager runs.

/// The setting does not exist, or the value is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ControlSettingError {
    /// No setting of this name.
    #[error("there is no setting '{asked}'; there are: {}", .known.join(", "))]
    Unknown {
        /// The name that was asked for.
        asked: String,
        /// All names.
        known: Vec<&'static str>,
    },
    /// The value is outside its range.
    #[error("setting '{name}' is {asked}; it goes from {least} to {most}")]
    Range {
        /// The setting.
        name: &'static str,
        /// The value that was asked for.
        asked: u64,
        /// Smallest value.
        least: u64,
        /// Largest value.
        most: u64,
    },
}

macro_rules! settings {
    ($($(#[$meta:meta])* $name:ident = $default:expr, $least:expr, $most:expr;)*) => {
        /// Timers and limits. Each has a default, a range and a name by which it can be changed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct ControlSettings {
            $($(#[$meta])* pub $name: u64,)*
        }

        impl Default for ControlSettings {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl ControlSettings {
            /// All names.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// Name, value, least and most of each.
            #[must_use]
            pub fn all(&self) -> Vec<(&'static str, u64, u64, u64)> {
                vec![$((stringify!($name), self.$name, $least, $most),)*]
            }

            /// Changes one setting.
            ///
            /// # Errors
            /// If there is no such name, or the value is outside the setting's range.
            pub fn set(&mut self, name: &str, value: u64) -> Result<(), ControlSettingError> {
                match name {
                    $(stringify!($name) => {
                        if !($least..=$most).contains(&value) {
                            return Err(ControlSettingError::Range {
                                name: stringify!($name), asked: value, least: $least, most: $most,
                            });
                        }
                        self.$name = value;
                    })*
                    _ => return Err(ControlSettingError::Unknown { asked: name.to_owned(), known: Self::NAMES.to_vec() }),
                }
                Ok(())
            }
        }
    };
}

settings! {
    /// Time between an agent's heartbeats, milliseconds.
    ///
    /// Source: the hardware's manager sweeps every 10 s. Status: published.
    heartbeat_ms = 10_000, 100, 600_000;
    /// Least time between two reports of a switch's counters, milliseconds; 0: no reports are
    /// requested.
    ///
    /// Source: the hardware's telemetry comes at most once a second. Status: published.
    counters_ms = 1_000, 0, 600_000;
    /// Heartbeats that may be missed before an agent counts as unreachable.
    ///
    /// Source: ours. Status: assumed.
    heartbeats_missed = 3, 1, 100;
    /// Time for an agent to answer an order, milliseconds.
    ///
    /// Source: ours. Status: assumed.
    answer_ms = 2_000, 10, 600_000;
    /// Pause before a failed order is retried, milliseconds; it doubles with each failure.
    ///
    /// Source: ours. Status: assumed.
    retry_ms = 500, 10, 600_000;
    /// The longest pause before a failed order is retried, milliseconds.
    ///
    /// Source: ours. Status: assumed.
    retry_most_ms = 60_000, 10, 3_600_000;
    /// Silence after which a starting fabric is routed although switches are missing, milliseconds.
    ///
    /// Source: ours. Status: assumed.
    bring_up_quiet_ms = 3_000, 0, 600_000;
    /// Time after which a starting fabric is routed although switches still connect, milliseconds.
    /// To publish tables after each of them would cost far more than to wait for all.
    ///
    /// Source: twice the time of 17,440 TLS connections on two busy cores. Status: assumed.
    bring_up_most_ms = 120_000, 0, 3_600_000;
    /// Losses of a link within the window after which it is isolated until an operator releases it.
    ///
    /// Source: SONiC isolates a fabric port after 3 flaps in 2 h. Status: published.
    flaps_isolate = 3, 1, 1_000;
    /// Window in which losses count, seconds.
    ///
    /// Source: as above. Status: published.
    flap_window_s = 7_200, 1, 604_800;
    /// Time that a link must be up before it carries traffic again after a loss, milliseconds; it
    /// doubles with each loss in the window.
    ///
    /// Source: ours. Status: assumed.
    hold_down_ms = 1_000, 0, 3_600_000;
    /// How long after a change of a port by documents losses of its link count as part of that
    /// change, milliseconds.
    ///
    /// Source: ours: training at another speed takes a second or two. Status: assumed.
    change_grace_ms = 5_000, 0, 600_000;
    /// How long a port to another switch may be up without its neighbour being heard before its
    /// link is not trusted, milliseconds.
    ///
    /// Source: ours: as long as our driver trusts an LLDP message, four times its period. Status:
    /// assumed.
    neighbour_ms = 8_000, 100, 600_000;
    /// Links that may be isolated at the same time, per thousand of all links; further ones are
    /// only reported.
    ///
    /// Source: ours. Status: assumed.
    isolation_budget_per_mille = 20, 0, 1_000;
    /// Links that may be isolated at the same time, as a number; 0: the share above applies.
    ///
    /// Source: ours. Status: assumed.
    isolation_budget_links = 0, 0, 10_000;
    /// How long an edge port may pause all traffic before its agent isolates it, milliseconds.
    ///
    /// Source: that ports are isolated is published, the time is ours. Status: assumed.
    pause_limit_ms = 1_000, 10, 600_000;
    /// How long an isolated port must not have paused traffic before it is released, milliseconds.
    ///
    /// Source: as above. Status: assumed.
    pause_clear_ms = 2_000, 10, 600_000;
    /// Wrong answers in a row after which a device is quarantined.
    ///
    /// Source: ours. Status: assumed.
    mismatches_quarantine = 5, 1, 1_000;
}
