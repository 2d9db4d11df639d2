//! Small Chakra traces, byte by byte.

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

pub fn number(field: u64, value: u64) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

fn bytes(field: u64, value: &[u8]) -> Vec<u8> {
    [varint(field << 3 | 2), varint(value.len() as u64), value.to_vec()].concat()
}

/// An attribute whose value is in `field`: 7 for int32, 9 for int64, 13 for uint64, 27 for bool.
pub fn attribute(name: &str, field: u64, value: u64) -> Vec<u8> {
    bytes(10, &[bytes(1, name.as_bytes()), number(field, value)].concat())
}

pub fn text_attribute(name: &str, value: &str) -> Vec<u8> {
    bytes(10, &[bytes(1, name.as_bytes()), bytes(29, value.as_bytes())].concat())
}

pub fn trace(version: &str, nodes: &[Vec<u8>]) -> Vec<u8> {
    let head = bytes(1, version.as_bytes());
    let message = |message: &[u8]| [varint(message.len() as u64), message.to_vec()].concat();
    [message(&head), nodes.iter().flat_map(|node| message(node)).collect()].concat()
}

pub fn node(id: u64, kind: u64, after: &[u64], rest: &[Vec<u8>]) -> Vec<u8> {
    let id = if id == 0 { Vec::new() } else { number(1, id) };
    [id, number(3, kind), after.iter().flat_map(|&on| number(5, on)).collect(), rest.concat()].concat()
}
