//! The configuration of a wire.

use std::net::SocketAddr;

use philae_nic_core::transport::{DATAGRAM_LEAST, DATAGRAM_MOST, FaultSpec, FaultSpecError, TransportParameters};

/// The most sockets of one NIC. Source: ours. Status: assumed.
const SOCKETS_MAX: usize = 64;

/// The configuration of a wire.
#[derive(Clone, Debug)]
pub struct WireConfig {
    /// The address of the NIC; with port 0 the system chooses a port.
    pub bind: SocketAddr,
    /// Sockets of that address; the system spreads peers over them. 1 to 64.
    pub sockets: usize,
    /// Largest datagram in bytes, without the headers of UDP and IP; `None`: what the route to each
    /// peer takes.
    pub datagram_max: Option<usize>,
    /// Bytes of each socket's buffers in each direction, as far as the system allows.
    pub buffer_bytes: usize,
    /// Whether the system cuts a long buffer into datagrams, and joins received datagrams, if it
    /// can.
    pub offload: bool,
    /// Whether to announce and obey congestion marks (ECN).
    pub marks: bool,
    /// The faults to inject.
    pub faults: Option<FaultSpec>,
    /// The transport's numbers.
    pub parameters: TransportParameters,
}

/// An invalid configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The number of sockets.
    #[error("{0} sockets; a NIC has 1 to 64")]
    Sockets(usize),
    /// The size of datagrams.
    #[error("datagrams of at most {0} B; from 528 to 65507 would do")]
    Datagram(usize),
    /// The specification of faults.
    #[error("FI_PHILAE_FAULTS: {0}")]
    Faults(#[from] FaultSpecError),
    /// A number from the environment.
    #[error("{name}=`{found}`: {wanted}")]
    Variable {
        /// The variable.
        name: &'static str,
        /// Its value.
        found: String,
        /// What would work.
        wanted: &'static str,
    },
}

impl WireConfig {
    /// The default configuration at this address.
    #[must_use]
    pub fn new(bind: SocketAddr) -> Self {
        Self {
            bind,
            sockets: 1,
            datagram_max: None,
            buffer_bytes: 8 << 20,
            offload: true,
            marks: true,
            faults: None,
            parameters: TransportParameters::software(),
        }
    }

    /// The default configuration at this address, as changed by the environment:
    ///
    /// | variable | what |
    /// |---|---|
    /// | `FI_PHILAE_FAULTS` | faults, see [`FaultSpec`] |
    /// | `FI_PHILAE_UDP_MTU` | largest datagram in bytes, without the headers of UDP and IP |
    /// | `FI_PHILAE_UDP_SOCKETS` | sockets |
    /// | `FI_PHILAE_UDP_OFFLOAD` | 0 or 1 |
    /// | `FI_PHILAE_UDP_TIMEOUT_MS` | silence until a peer is given up, in milliseconds |
    ///
    /// # Errors
    /// [`ConfigError`]: a variable has an invalid value.
    pub fn from_environment(bind: SocketAddr) -> Result<Self, ConfigError> {
        let get = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        Self::from_variables(bind, get)
    }

    /// As [`WireConfig::from_environment`], with the variables that `get` returns.
    ///
    /// # Errors
    /// As there.
    pub fn from_variables(bind: SocketAddr, get: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let number = |name: &'static str, wanted: &'static str| match get(name) {
            None => Ok(None),
            Some(found) => match found.parse::<u32>() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(ConfigError::Variable { name, found, wanted }),
            },
        };
        let mut config = Self::new(bind);
        if let Some(text) = get("FI_PHILAE_FAULTS") {
            config.faults = Some(text.parse()?);
        }
        config.datagram_max =
            number("FI_PHILAE_UDP_MTU", "a number of bytes from 528 to 65507")?.map(|bytes| bytes as usize);
        if let Some(sockets) = number("FI_PHILAE_UDP_SOCKETS", "a number from 1 to 64")? {
            config.sockets = sockets as usize;
        }
        match number("FI_PHILAE_UDP_OFFLOAD", "0 or 1")? {
            None => {}
            Some(flag @ (0 | 1)) => config.offload = flag == 1,
            Some(other) => {
                let (name, found) = ("FI_PHILAE_UDP_OFFLOAD", other.to_string());
                return Err(ConfigError::Variable { name, found, wanted: "0 or 1" });
            }
        }
        if let Some(time) = number("FI_PHILAE_UDP_TIMEOUT_MS", "a number of milliseconds")? {
            config.parameters.unreachable_after_ns = u64::from(time) * 1_000_000;
        }
        config.check()?;
        Ok(config)
    }

    /// Checks that the configuration is valid.
    ///
    /// # Errors
    /// The first error.
    pub fn check(&self) -> Result<(), ConfigError> {
        if !(1..=SOCKETS_MAX).contains(&self.sockets) {
            return Err(ConfigError::Sockets(self.sockets));
        }
        match self.datagram_max {
            Some(bytes) if !(DATAGRAM_LEAST..=DATAGRAM_MOST).contains(&bytes) => Err(ConfigError::Datagram(bytes)),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &'static str, value: &'static str) -> Result<WireConfig, ConfigError> {
        let bind = "127.0.0.1:0".parse().expect("an address");
        WireConfig::from_variables(bind, |asked| (asked == name).then(|| value.to_owned()))
    }

    #[test]
    fn variables_change_what_they_name_and_wrong_ones_say_what_would_do() {
        assert_eq!(with("", "").expect("nothing set").datagram_max, None);
        assert_eq!(with("FI_PHILAE_UDP_MTU", "1472").expect("a size").datagram_max, Some(1_472));
        assert_eq!(with("FI_PHILAE_UDP_SOCKETS", "4").expect("a count").sockets, 4);
        assert!(!with("FI_PHILAE_UDP_OFFLOAD", "0").expect("a flag").offload);
        let config = with("FI_PHILAE_UDP_TIMEOUT_MS", "1500").expect("a time");
        assert_eq!(config.parameters.unreachable_after_ns, 1_500_000_000);
        assert_eq!(with("FI_PHILAE_FAULTS", "drop=1%").expect("faults").faults.map(|spec| spec.drop_ppm), Some(10_000));
        for (name, value, text) in [
            ("FI_PHILAE_UDP_MTU", "9", "datagrams of at most 9 B; from 528 to 65507 would do"),
            ("FI_PHILAE_UDP_MTU", "big", "FI_PHILAE_UDP_MTU=`big`: a number of bytes from 528 to 65507"),
            ("FI_PHILAE_UDP_SOCKETS", "0", "0 sockets; a NIC has 1 to 64"),
            ("FI_PHILAE_UDP_OFFLOAD", "2", "FI_PHILAE_UDP_OFFLOAD=`2`: 0 or 1"),
        ] {
            assert_eq!(with(name, value).expect_err("wrong").to_string(), text);
        }
        let error = with("FI_PHILAE_FAULTS", "drop=2").expect_err("more than all").to_string();
        assert!(error.starts_with("FI_PHILAE_FAULTS: faults `drop=2`: `2` of `drop` is not a share"), "{error}");
    }
}
