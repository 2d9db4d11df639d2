//! The content of each kind of document.

use crate::settings::{LinkSettings, PortSettings, SwitchSettings};
use crate::{DocumentKind, Selector};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

macro_rules! specs {
    ($($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields, default)]
        pub struct $name {
            $($(#[$doc])* #[serde(skip_serializing_if = "is_default")] pub $field: $type,)*
        }
    )*};
}
specs! {
    /// A switch: its desired state.
    SwitchSpec {
        /// Policies, later ones over earlier ones.
        switch_policy_links: Vec<String>,
        /// Settings that override those of all policies.
        settings: SwitchSettings,
    }
    /// A port: its desired state.
    PortSpec {
        /// Policies, later ones over earlier ones.
        port_policy_links: Vec<String>,
        /// Settings that override those of all policies.
        settings: PortSettings,
    }
    /// A link: the desired state of both of its ends.
    LinkSpec {
        /// Policies, later ones over earlier ones.
        link_policy_links: Vec<String>,
        /// Settings that override those of all policies.
        settings: LinkSettings,
    }
    /// Settings of ports.
    PortPolicySpec {
        /// Which ports have it without naming it. Without one, only ports that name it.
        selector: Option<Selector>,
        /// Among policies that select a port, higher goes over lower, then later names over earlier ones: 0 to 1,000.
        #[schemars(range(max = 1000))]
        priority: u16,
        /// What it sets.
        settings: PortSettings,
    }
    /// Settings of links.
    LinkPolicySpec {
        /// Which links have it without naming it: those with an end that it selects.
        selector: Option<Selector>,
        /// Among policies that select a link, higher goes over lower, then later names over earlier ones: 0 to 1,000.
        #[schemars(range(max = 1000))]
        priority: u16,
        /// What it sets at both ends.
        settings: LinkSettings,
    }
    /// Settings of switches.
    SwitchPolicySpec {
        /// Which switches have it without naming it.
        selector: Option<Selector>,
        /// Among policies that select a switch, higher goes over lower, then later names over earlier ones: 0 to 1,000.
        #[schemars(range(max = 1000))]
        priority: u16,
        /// What it sets.
        settings: SwitchSettings,
    }
    /// Parameters of the whole fabric.
    TopologyPolicySpec {
        /// Whether it is the active one. Without any, the built-in one is active.
        active: bool,
        /// Fabric template that it belongs to.
        template: Option<String>,
        /// Bias of nonminimal paths, in per cent: 0 to 1,000.
        #[schemars(range(max = 1000))]
        nonminimal_bias_percent: Option<u16>,
        /// Links that the manager may isolate by itself at the same time: 0 to 10,000.
        #[schemars(range(max = 10000))]
        isolation_budget_links: Option<u16>,
        /// Milliseconds between sweeps: 1,000 to 600,000.
        #[schemars(range(min = 1000, max = 600000))]
        sweep_interval_milliseconds: Option<u32>,
        /// QoS profile that NICs are set up with; switches have to have the same.
        nic_qos_profile: Option<String>,
        /// Below all port policies.
        port_defaults: PortSettings,
        /// Below all switch policies.
        switch_defaults: SwitchSettings,
    }
    /// One traffic class of a profile.
    QosClass {
        /// How it is called: LOW_LATENCY, ...
        name: String,
        /// Priority code point of requests: 0 to 7.
        #[schemars(range(max = 7))]
        request_pcp: Option<u8>,
        /// Priority code point of responses: 0 to 7.
        #[schemars(range(max = 7))]
        response_pcp: Option<u8>,
        /// DSCPs of requests: 0 to 63.
        request_dscps: Vec<u8>,
        /// DSCPs of responses: 0 to 63.
        response_dscps: Vec<u8>,
        /// Least bandwidth while it has traffic, in per cent.
        #[schemars(range(max = 100))]
        assured_percent: u32,
        /// The part of it that no other class uses, in per cent.
        #[schemars(range(max = 100))]
        guaranteed_percent: u32,
        /// Most bandwidth, in per cent; none is all.
        #[schemars(range(min = 1, max = 100))]
        ceiling_percent: Option<u32>,
        /// Of classes below their assured share, the highest goes first: 0 to 7.
        #[schemars(range(max = 7))]
        priority: u8,
        /// How much more a nonminimal path counts, in per cent.
        routing_bias_percent: Option<u32>,
    }
    /// Traffic classes of a fabric.
    QosProfileSpec {
        /// One or more classes.
        classes: Vec<QosClass>,
    }
    /// A VLAN.
    VlanSpec {
        /// 1 to 4,094.
        #[schemars(range(min = 1, max = 4094))]
        id: u16,
        /// Text for people; it has no effect.
        description: String,
    }
    /// A share of the fabric's VNIs: a count, or ranges.
    VniPartitionSpec {
        /// So many VNIs.
        vni_count: Option<u32>,
        /// These VNIs: "10-10000".
        vni_ranges: Vec<String>,
        /// Edge ports, by name or by 20-bit address.
        edge_ports: Vec<String>,
    }
    /// When a right ends.
    Lease {
        /// Unix time in seconds; none is never.
        expires_at_seconds: Option<u64>,
        /// Who holds it.
        holder: String,
    }
    /// VNIs in use.
    VniBlockSpec {
        /// Where they are taken from.
        partition: String,
        /// These VNIs: "10-20".
        vni_ranges: Vec<String>,
        /// Edge ports, by name or by 20-bit address.
        edge_ports: Vec<String>,
        /// Its lease: the time at which it ends.
        lease: Lease,
    }
    /// Ports that act as one.
    LagSpec {
        /// Ports of one switch, of equal speed.
        port_links: Vec<String>,
        /// How it comes about.
        mode: LagMode,
        /// How often its partner is asked.
        lacp_timeout: LacpTimeout,
    }
    /// Conditions of a rule on a frame. An omitted field matches any value.
    AclMatch {
        /// Ethertype: 1,536 to 65,535.
        #[schemars(range(min = 1536, max = 65535))]
        ether_type: Option<u16>,
        /// Source MAC address.
        source_mac: Option<String>,
        /// Destination MAC address.
        destination_mac: Option<String>,
        /// VLAN.
        #[schemars(range(min = 1, max = 4094))]
        vlan: Option<u16>,
        /// Source network: "10.1.0.0/16".
        source_network: Option<String>,
        /// Destination network.
        destination_network: Option<String>,
        /// IP protocol.
        protocol: Option<u8>,
        /// First and last destination port.
        destination_ports: Option<[u16; 2]>,
        /// VNI.
        vni: Option<u16>,
    }
    /// One rule.
    AclRule {
        /// Higher comes first; no two of an ACL are equal.
        priority: u16,
        /// Which frames.
        r#match: AclMatch,
        /// What becomes of them.
        action: AclAction,
    }
    /// Rules on what comes in.
    AclSpec {
        /// The rules.
        rules: Vec<AclRule>,
    }
    /// A VLAN over the fabric.
    VxlanSpec {
        /// VXLAN network: 1 to 16,777,215.
        #[schemars(range(min = 1, max = 16777215))]
        vni: u32,
        /// Name of the VLAN.
        vlan: String,
        /// Switches at which it begins and ends.
        vteps: Vec<String>,
    }
    /// A job's right to trees in the switches.
    CollectiveSessionSpec {
        /// The job.
        job_id: String,
        /// Trees that it may have: 1 to 65,535.
        mcast_limit: u16,
        /// Hash of the session's token.
        token_hash: String,
        /// Its lease: the time at which it ends.
        lease: Lease,
    }
    /// A tree of a session.
    MulticastSpec {
        /// The session.
        session: String,
        /// Its address: 0 to 8,191.
        #[schemars(range(max = 8191))]
        address: u16,
        /// Edge ports that take part, by name or by 20-bit address.
        edge_ports: Vec<String>,
        /// Its lease: the time at which it ends.
        lease: Lease,
    }
    /// When what may be changed.
    MaintenanceWindowSpec {
        /// Which switches.
        selector: Option<Selector>,
        /// Unix time in seconds.
        starts_at_seconds: u64,
        /// Unix time in seconds.
        ends_at_seconds: u64,
        /// Whether changes are refused in it, not asked for.
        freeze: bool,
    }
    /// A setting of the manager itself.
    SettingSpec {
        /// Its values.
        values: BTreeMap<String, SettingValue>,
    }
    /// Who has which role.
    RoleBindingSpec {
        /// The role.
        role: Role,
        /// Users or tokens.
        subjects: Vec<String>,
        /// The tenant that the role is limited to.
        tenant: Option<String>,
    }
    /// A bearer token.
    TokenSpec {
        /// Hash of it: 64 hexadecimal digits.
        hash: String,
        /// Text for people; it has no effect.
        description: String,
        /// Its lease: the time at which it ends.
        lease: Lease,
    }
}

macro_rules! words {
    ($($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$doc])* $variant,)* }
    )*};
}
words! {
    /// How a LAG comes about.
    LagMode {
        /// Asks its partner.
        #[default] LacpActive,
        /// Answers its partner.
        LacpPassive,
        /// Without asking.
        Static,
    }
    /// How often a LAG's partner is asked.
    LacpTimeout {
        /// Every 30 seconds.
        #[default] Long,
        /// Every second.
        Short,
    }
    /// What becomes of a frame.
    AclAction {
        /// It is discarded.
        #[default] Deny,
        /// It passes.
        Permit,
        /// It is counted, and the next rule is asked.
        Count,
    }
    /// A role of a subject.
    Role {
        /// Read.
        #[default] Guest,
        /// Change the fabric, delete nothing.
        Operator,
        /// Certificates and tokens.
        Security,
        /// Collectives and VNIs of jobs.
        Wlm,
        /// Follow the manager and take over from it: of standbys only.
        Standby,
        /// Everything.
        Admin,
    }
}

/// A value of a setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SettingValue {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// A text.
    Text(String),
}

macro_rules! spec {
    ($($kind:ident($type:ty),)*) => {
        /// The content of a document, by kind.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
        #[serde(untagged)]
        #[allow(clippy::large_enum_variant, reason = "few documents exist; ports have none each")]
        pub enum Spec { $(#[doc = concat!("Of a ", stringify!($kind), ".")] $kind($type),)* }

        impl Spec {
            /// The kind of its document.
            #[must_use]
            pub const fn kind(&self) -> DocumentKind {
                match self { $(Self::$kind(_) => DocumentKind::$kind,)* }
            }

            /// Empty content.
            #[must_use]
            pub fn empty(kind: DocumentKind) -> Self {
                match kind { $(DocumentKind::$kind => Self::$kind(<$type>::default()),)* }
            }

            pub(crate) fn read(kind: DocumentKind, value: &serde_json::Value) -> Result<Self, serde_path_to_error::Error<serde_json::Error>> {
                match kind { $(DocumentKind::$kind => serde_path_to_error::deserialize(value).map(Self::$kind),)* }
            }

            pub(crate) fn schema(kind: DocumentKind, generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                match kind { $(DocumentKind::$kind => generator.subschema_for::<$type>(),)* }
            }
        }
    };
}
spec! {
    TopologyPolicy(TopologyPolicySpec),
    QosProfile(QosProfileSpec),
    SwitchPolicy(SwitchPolicySpec),
    PortPolicy(PortPolicySpec),
    LinkPolicy(LinkPolicySpec),
    Switch(SwitchSpec),
    Port(PortSpec),
    Link(LinkSpec),
    Vlan(VlanSpec),
    VniPartition(VniPartitionSpec),
    VniBlock(VniBlockSpec),
    Lag(LagSpec),
    Acl(AclSpec),
    Vxlan(VxlanSpec),
    CollectiveSession(CollectiveSessionSpec),
    Multicast(MulticastSpec),
    MaintenanceWindow(MaintenanceWindowSpec),
    Setting(SettingSpec),
    RoleBinding(RoleBindingSpec),
    Token(TokenSpec),
}

impl Spec {
    /// The lease, for kinds that have one.
    #[must_use]
    pub const fn lease(&self) -> Option<&Lease> {
        match self {
            Self::VniBlock(spec) => Some(&spec.lease),
            Self::CollectiveSession(spec) => Some(&spec.lease),
            Self::Multicast(spec) => Some(&spec.lease),
            Self::Token(spec) => Some(&spec.lease),
            _ => None,
        }
    }

    /// The lease, mutable.
    pub(crate) const fn lease_mut(&mut self) -> Option<&mut Lease> {
        match self {
            Self::VniBlock(spec) => Some(&mut spec.lease),
            Self::CollectiveSession(spec) => Some(&mut spec.lease),
            Self::Multicast(spec) => Some(&mut spec.lease),
            Self::Token(spec) => Some(&mut spec.lease),
            _ => None,
        }
    }
}
