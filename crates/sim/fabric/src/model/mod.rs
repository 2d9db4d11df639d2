//! The physics: hosts, NICs, switches, links, faults, collectives, the packet engine at the edge.
//!
//! A file here defines a state (`nic`, `output`, `packet`), or handles events and reads from top to
//! bottom without the scheduler in mind (`hop`, `ingress`, `nic/handlers`). Handlers are methods of
//! [`Partition`](crate::partition::Partition). A state imports no handler and no partition: it is
//! part of one. Nothing here imports `sched`, `observe` or `run`.

pub mod buffer;
pub mod class;
pub mod collective;
pub mod config;
pub mod discard;
pub mod doorbell;
pub mod edge;
pub mod error;
pub mod event;
pub mod fabric_gateway;
pub mod fair_queues;
pub mod fault;
pub mod features;
pub mod flow;
pub mod flow_queue;
pub mod health;
pub mod history;
pub mod hop;
pub mod host;
pub mod ingress;
pub mod ingress_port;
pub mod kernel;
pub mod link_layer;
pub mod load_view;
pub mod losses;
pub mod matching;
pub mod multipath;
pub mod nic;
pub mod nic_law;
pub mod node;
pub mod output;
pub mod overlay;
pub mod packet;
pub mod pause;
pub mod ports;
pub mod receive;
pub mod reliable;
pub mod rerouting;
pub mod resilience;
pub mod response;
pub mod share;
pub mod shared;
pub mod shares;
pub mod tcp;
pub mod timeline;
pub mod trim;
pub mod uet;
pub mod vni_and_acl;
pub mod zero_load;
