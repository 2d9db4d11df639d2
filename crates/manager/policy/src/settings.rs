//! The settings of a port, a link and a switch, and the resulting configurations.

use crate::fields::composed;
use philae_topology::MacAddress;
use philae_units::LinkRate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The mode of a link: which signalling, how many Gb/s.
///
/// Source: the vendor's public management documents (BS_200G, CK_400G) and host driver (the others). Status: published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[allow(non_camel_case_types, reason = "the names are those of the documents")]
pub enum Speed {
    /// 50 Gb/s.
    CD_50G,
    /// 100 Gb/s in two lanes.
    CD_100G,
    /// 100 Gb/s in four lanes.
    BJ_100G,
    /// 200 Gb/s: the first generation's.
    BS_200G,
    /// 100 Gb/s in one lane.
    CK_100G,
    /// 200 Gb/s in two lanes.
    CK_200G,
    /// 400 Gb/s: the second generation's.
    CK_400G,
}

impl Speed {
    /// The rate in one direction.
    #[must_use]
    pub const fn rate(self) -> LinkRate {
        LinkRate::from_gbps(match self {
            Self::CD_50G => 50,
            Self::CD_100G | Self::BJ_100G | Self::CK_100G => 100,
            Self::BS_200G | Self::CK_200G => 200,
            Self::CK_400G => 400,
        })
    }
}

macro_rules! words {
    ($($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$doc])* $variant,)* }
    )*};
}
words! {
    /// Whether a port is to carry traffic.
    PortState {
        /// It is.
        Online,
        /// It is not.
        Offline,
    }
    /// Loopback of a port: it returns sent or received frames.
    Loopback {
        /// Neither.
        None,
        /// What it would send, to itself.
        Local,
        /// What it receives, to the far end.
        Remote,
    }
    /// A choice that the hardware can make.
    Choice {
        /// On.
        On,
        /// Off.
        Off,
        /// As the hardware finds best.
        Auto,
    }
    /// Forward error correction of a link.
    FecMode {
        /// As both ends find best.
        Auto,
        /// None.
        None,
        /// RS(272, 258): low latency.
        Rs272,
        /// RS(528, 514).
        Rs528,
        /// RS(544, 514).
        Rs544,
    }
}

macro_rules! partial {
    ($($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields, default)]
        pub struct $name {
            $($(#[$doc])* #[serde(skip_serializing_if = "is_default")] pub $field: $type,)*
        }
    )*};
}
partial! {
    /// Pause in either direction.
    FlowControl {
        /// Obey pauses that arrive.
        rx: Option<bool>,
        /// Send pauses.
        tx: Option<bool>,
    }
    /// What follows when a link does not come up.
    AutoRetry {
        /// Whether it is tried again.
        enabled: Option<bool>,
        /// Without end.
        always: Option<bool>,
        /// Tries: 0 to 1,000.
        #[schemars(range(max = 1000))]
        num_retries: Option<u16>,
        /// Seconds of one try: 1 to 3,600.
        #[schemars(range(min = 1, max = 3600))]
        duration_seconds: Option<u16>,
    }
    /// What replaces a cable's end while it is reset.
    HeadShellReset {
        /// Only the same one is taken back.
        same: Option<bool>,
    }
    /// When a link that goes up and down is kept down.
    FlapHoldDown {
        /// Whether it is.
        enabled: Option<bool>,
        /// Flaps within the window: 1 to 100.
        #[schemars(range(min = 1, max = 100))]
        flaps: Option<u8>,
        /// The window in seconds: 1 to 86,400.
        #[schemars(range(min = 1, max = 86400))]
        window_seconds: Option<u32>,
        /// Time for which it is kept down, in seconds, up to 604,800; 0 is until an operator releases it.
        #[schemars(range(max = 604800))]
        hold_seconds: Option<u32>,
    }
    /// Settings of ports. Omitted ones come from earlier layers.
    PortSettings {
        /// Mode of the link.
        speed: Option<Speed>,
        /// Whether the two ends negotiate.
        autoneg: Option<bool>,
        /// Whether it is to carry traffic.
        state: Option<PortState>,
        /// Loopback.
        loopback: Option<Loopback>,
        /// Precoding of the signal.
        precode: Option<Choice>,
        /// Pause.
        flow_control: FlowControl,
        /// Its MAC address, where that is not the algorithmic one.
        mac: Option<String>,
        /// What follows when it does not come up.
        auto_retry: AutoRetry,
        /// Reset of the cable's end.
        head_shell_reset: HeadShellReset,
        /// VLANs that may pass: 1 to 4,094. An empty list is all.
        allowed_vlans: Option<Vec<u16>>,
        /// VLAN of untagged frames: 1 to 4,094.
        #[schemars(range(min = 1, max = 4094))]
        native_vlan: Option<u16>,
        /// Whether untagged frames may pass.
        untagged_allowed: Option<bool>,
        /// Hold-down of a flapping link.
        flap_hold_down: FlapHoldDown,
        /// Largest frame in bytes: 1,500 to 9,216.
        #[schemars(range(min = 1500, max = 9216))]
        mtu_bytes: Option<u16>,
        /// Forward error correction.
        fec: Option<FecMode>,
        /// Whether the link repeats damaged frames (LLR).
        link_retry: Option<bool>,
        /// Lanes that may fail before the link is given up: 0 to 3.
        #[schemars(range(max = 3))]
        degraded_lanes_max: Option<u8>,
        /// Flap score from which it counts as ill: 0 to 6.
        #[schemars(range(max = 6))]
        flap_score_max: Option<u8>,
        /// ACLs on what comes in, the first match decides.
        acls: Option<Vec<String>>,
    }
    /// Settings of both ends of links.
    LinkSettings {
        /// Mode.
        speed: Option<Speed>,
        /// Whether the two ends negotiate.
        autoneg: Option<bool>,
        /// Whether it is to carry traffic.
        state: Option<PortState>,
        /// Pause, at both ends.
        flow_control: FlowControl,
        /// Hold-down when it flaps.
        flap_hold_down: FlapHoldDown,
        /// Largest frame in bytes: 1,500 to 9,216.
        #[schemars(range(min = 1500, max = 9216))]
        mtu_bytes: Option<u16>,
        /// Forward error correction.
        fec: Option<FecMode>,
        /// Whether it repeats damaged frames (LLR).
        link_retry: Option<bool>,
        /// Lanes that may fail before it is given up: 0 to 3.
        #[schemars(range(max = 3))]
        degraded_lanes_max: Option<u8>,
        /// Flap score from which it counts as ill: 0 to 6.
        #[schemars(range(max = 6))]
        flap_score_max: Option<u8>,
    }
    /// Settings of switches.
    SwitchSettings {
        /// The version of firmware that is to run: letters, digits and `.-_+~`, at most 64. Without
        /// it, any version.
        firmware: Option<String>,
        /// The version of the agent that is to run: it is compared, and nothing is installed.
        agent: Option<String>,
        /// Seconds between telemetry reports: 1 to 3,600.
        #[schemars(range(min = 1, max = 3600))]
        telemetry_period_seconds: Option<u16>,
        /// Whether it sends and reads LLDP.
        lldp: Option<bool>,
        /// VLAN of management: 1 to 4,094.
        #[schemars(range(min = 1, max = 4094))]
        management_vlan: Option<u16>,
        /// Its QoS profile.
        qos_profile: Option<String>,
        /// Whether it takes part in the fabric.
        enabled: Option<bool>,
    }
}

impl LinkSettings {
    /// The same settings for one of its ports.
    #[must_use]
    pub fn for_port(&self) -> PortSettings {
        PortSettings {
            speed: self.speed,
            autoneg: self.autoneg,
            state: self.state,
            flow_control: self.flow_control.clone(),
            flap_hold_down: self.flap_hold_down.clone(),
            mtu_bytes: self.mtu_bytes,
            fec: self.fec,
            link_retry: self.link_retry,
            degraded_lanes_max: self.degraded_lanes_max,
            flap_score_max: self.flap_score_max,
            ..PortSettings::default()
        }
    }
}

composed! {
    /// Everything that is wanted of one port. Defaults are those of a port that no document speaks of.
    ///
    /// Defaults are ours, but: three flaps in two hours until released is the published rule of SONiC.
    PortConfig from PortSettings {
        /// Mode of the link.
        speed: Speed = Speed::BS_200G, "/speed", |s| s.speed;
        /// Whether the two ends negotiate.
        autoneg: bool = true, "/autoneg", |s| s.autoneg;
        /// Whether it is to carry traffic.
        state: PortState = PortState::Online, "/state", |s| s.state;
        /// Loopback.
        loopback: Loopback = Loopback::None, "/loopback", |s| s.loopback;
        /// Precoding.
        precode: Choice = Choice::Auto, "/precode", |s| s.precode;
        /// Obeys pauses.
        flow_control_rx: bool = true, "/flowControl/rx", |s| s.flow_control.rx;
        /// Sends pauses.
        flow_control_tx: bool = true, "/flowControl/tx", |s| s.flow_control.tx;
        /// Its MAC address; none is the algorithmic one.
        mac: Option<String> = None, "/mac", |s| s.mac.as_ref().map(|mac| Some(mac.clone()));
        /// Tried again when it does not come up.
        auto_retry_enabled: bool = true, "/autoRetry/enabled", |s| s.auto_retry.enabled;
        /// Without end.
        auto_retry_always: bool = false, "/autoRetry/always", |s| s.auto_retry.always;
        /// Tries.
        auto_retry_num_retries: u16 = 3, "/autoRetry/numRetries", |s| s.auto_retry.num_retries;
        /// Seconds of one try.
        auto_retry_duration_seconds: u16 = 60, "/autoRetry/durationSeconds", |s| s.auto_retry.duration_seconds;
        /// Only the same cable end is taken back.
        head_shell_reset_same: bool = false, "/headShellReset/same", |s| s.head_shell_reset.same;
        /// VLANs that may pass; none listed is all.
        allowed_vlans: Vec<u16> = Vec::new(), "/allowedVlans", |s| s.allowed_vlans;
        /// VLAN of untagged frames.
        native_vlan: u16 = 1, "/nativeVlan", |s| s.native_vlan;
        /// Whether untagged frames may pass.
        untagged_allowed: bool = true, "/untaggedAllowed", |s| s.untagged_allowed;
        /// Hold-down.
        flap_hold_down_enabled: bool = true, "/flapHoldDown/enabled", |s| s.flap_hold_down.enabled;
        /// Flaps within the window.
        flap_hold_down_flaps: u8 = 3, "/flapHoldDown/flaps", |s| s.flap_hold_down.flaps;
        /// The window.
        flap_hold_down_window_seconds: u32 = 7_200, "/flapHoldDown/windowSeconds", |s| s.flap_hold_down.window_seconds;
        /// How long; 0 is until released.
        flap_hold_down_hold_seconds: u32 = 0, "/flapHoldDown/holdSeconds", |s| s.flap_hold_down.hold_seconds;
        /// Largest frame.
        mtu_bytes: u16 = 9_216, "/mtuBytes", |s| s.mtu_bytes;
        /// Forward error correction.
        fec: FecMode = FecMode::Auto, "/fec", |s| s.fec;
        /// LLR.
        link_retry: bool = true, "/linkRetry", |s| s.link_retry;
        /// Lanes that may fail.
        degraded_lanes_max: u8 = 0, "/degradedLanesMax", |s| s.degraded_lanes_max;
        /// Flap score from which it counts as ill.
        flap_score_max: u8 = 3, "/flapScoreMax", |s| s.flap_score_max;
        /// ACLs on what comes in.
        acls: Vec<String> = Vec::new(), "/acls", |s| s.acls;
    }
}

composed! {
    /// Everything that is wanted of one switch.
    SwitchConfig from SwitchSettings {
        /// The firmware that is to run; none is the one that does.
        firmware: Option<String> = None, "/firmware", |s| s.firmware.as_ref().map(|name| Some(name.clone()));
        /// The agent that is to run; none is the one that does.
        agent: Option<String> = None, "/agent", |s| s.agent.as_ref().map(|name| Some(name.clone()));
        /// Seconds between reports.
        telemetry_period_seconds: u16 = 10, "/telemetryPeriodSeconds", |s| s.telemetry_period_seconds;
        /// LLDP.
        lldp: bool = true, "/lldp", |s| s.lldp;
        /// VLAN of management.
        management_vlan: u16 = 1, "/managementVlan", |s| s.management_vlan;
        /// QoS profile.
        qos_profile: String = "HPC".to_owned(), "/qosProfile", |s| s.qos_profile;
        /// Whether it takes part.
        enabled: bool = true, "/enabled", |s| s.enabled;
    }
}

/// Whether a text is a unicast MAC address.
#[must_use]
pub fn is_station_mac(text: &str) -> bool {
    text.parse::<MacAddress>().is_ok_and(|mac| mac.0[0] & 1 == 0 && mac.0 != [0; 6])
}
