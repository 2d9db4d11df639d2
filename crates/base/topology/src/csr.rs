//! Lists of ports by key, in two flat arrays.

use philae_units::PortIndex;

/// For each key 0, 1, 2, ... a list of ports; keys are appended in order.
#[derive(Clone, Debug)]
pub(crate) struct PortLists {
    offsets: Vec<u32>,
    ports: Vec<PortIndex>,
}

impl PortLists {
    pub fn with_capacity(keys: usize, ports: usize) -> Self {
        let mut offsets = Vec::with_capacity(keys + 1);
        offsets.push(0);
        Self { offsets, ports: Vec::with_capacity(ports) }
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The same as [`push`](Self::push); false, and nothing is added, if there would be more ports
    /// than can be numbered.
    pub fn try_push(&mut self, ports: impl IntoIterator<Item = PortIndex>) -> bool {
        let before = self.ports.len();
        self.ports.extend(ports);
        let Ok(end) = u32::try_from(self.ports.len()) else {
            self.ports.truncate(before);
            return false;
        };
        self.offsets.push(end);
        true
    }

    pub fn push(&mut self, ports: impl IntoIterator<Item = PortIndex>) {
        self.ports.extend(ports);
        self.offsets.push(u32::try_from(self.ports.len()).expect("a system has fewer than 2^32 ports"));
    }

    /// The ports of all lists, in order.
    #[inline]
    pub fn all(&self) -> &[PortIndex] {
        &self.ports
    }

    /// Gives back memory that is not used.
    pub fn shrink(&mut self) {
        self.offsets.shrink_to_fit();
        self.ports.shrink_to_fit();
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.offsets.capacity() * size_of::<u32>() + self.ports.capacity() * size_of::<PortIndex>()
    }

    #[inline]
    pub fn get(&self, key: usize) -> &[PortIndex] {
        &self.ports[self.offsets[key] as usize..self.offsets[key + 1] as usize]
    }
}
