//! gRPC's status of a call.

use http::HeaderMap;
use http::header::HeaderValue;

/// gRPC's status codes, as far as they are used here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrpcCode {
    /// The call succeeded.
    Ok = 0,
    /// The message received cannot be read.
    InvalidArgument = 3,
    /// The certificate does not allow the call.
    PermissionDenied = 7,
    /// Too many calls, too much data or too slow a reader; try again later.
    ResourceExhausted = 8,
    /// Another connection has replaced it, or the manager closes it.
    Aborted = 10,
    /// There is no such call.
    Unimplemented = 12,
    /// An error within the manager.
    Internal = 13,
    /// The other end is gone, or ends.
    Unavailable = 14,
    /// There is no certificate.
    Unauthenticated = 16,
}

impl GrpcCode {
    fn from_number(number: &str) -> Self {
        match number {
            "0" => Self::Ok,
            "3" => Self::InvalidArgument,
            "7" => Self::PermissionDenied,
            "8" => Self::ResourceExhausted,
            "10" => Self::Aborted,
            "12" => Self::Unimplemented,
            "16" => Self::Unauthenticated,
            "14" => Self::Unavailable,
            _ => Self::Internal,
        }
    }
}

/// The status of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrpcStatus {
    pub code: GrpcCode,
    /// The message, for people.
    pub message: String,
    /// When to try again, milliseconds from now.
    pub retry_ms: Option<u64>,
}

impl GrpcStatus {
    /// A status without a time for a retry.
    #[must_use]
    pub fn new(code: GrpcCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), retry_ms: None }
    }

    /// The status as trailers.
    #[must_use]
    pub fn to_headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("grpc-status", HeaderValue::from(self.code as u32));
        if let Ok(message) = HeaderValue::from_str(&escape(&self.message)) {
            headers.insert("grpc-message", message);
        }
        if let Some(retry_ms) = self.retry_ms {
            headers.insert("grpc-retry-pushback-ms", HeaderValue::from(retry_ms));
        }
        headers
    }

    /// The status in trailers; `None` if they have none.
    #[must_use]
    pub fn from_headers(headers: &HeaderMap) -> Option<Self> {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let code = GrpcCode::from_number(text("grpc-status")?);
        let retry_ms = text("grpc-retry-pushback-ms").and_then(|text| text.parse().ok());
        Some(Self { code, message: unescape(text("grpc-message").unwrap_or("")), retry_ms })
    }
}

/// gRPC's percent encoding of messages.
fn escape(text: &str) -> String {
    let one = |byte: u8| match byte {
        b' '..=b'~' if byte != b'%' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().take(1_024).map(one).collect()
}

fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let pair = after.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        match pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_comes_back_from_its_trailers() {
        let status =
            GrpcStatus { retry_ms: Some(17), ..GrpcStatus::new(GrpcCode::ResourceExhausted, "100 % voll: später\n") };
        assert_eq!(GrpcStatus::from_headers(&status.to_headers()), Some(status));
        assert_eq!(unescape("%"), "%");
        assert_eq!(unescape("%zz%4"), "%zz%4");
    }
}
