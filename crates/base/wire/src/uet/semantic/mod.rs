//! Headers of the semantic sublayer (SES): requests in three sizes and responses in three.
//!
//! Which one follows a delivery header is said there, by [`NextHeader`].

pub mod extension;
pub mod opcode;
pub mod request;
pub mod response;

use super::prologue::NextHeader;
use crate::WireError;
use request::SemanticRequest;
use response::SemanticResponse;

/// The format's name in errors.
const FORMAT: &str = "UET semantic header";

/// A semantic header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemanticRepr {
    /// A request.
    Request(SemanticRequest),
    /// A response.
    Response(SemanticResponse),
}

impl SemanticRepr {
    /// Which header it is, for the delivery header in front of it.
    #[must_use]
    pub const fn next_header(&self) -> NextHeader {
        match self {
            Self::Request(header) => header.next_header(),
            Self::Response(header) => header.next_header(),
        }
    }

    /// Bytes of the header, extensions included.
    #[must_use]
    pub fn header_len(&self) -> usize {
        match self {
            Self::Request(header) => header.header_len(),
            Self::Response(header) => header.header_len(),
        }
    }

    /// Reads the header of kind `next` at the front of `bytes`.
    ///
    /// # Errors
    /// [`WireError::Short`] if the bytes end before the header does, [`WireError::Field`] for a
    /// version other than 0, or a message of one packet that says that it has several.
    pub fn parse(next: NextHeader, bytes: &[u8]) -> Result<Option<Self>, WireError> {
        match next {
            NextHeader::None => Ok(None),
            NextHeader::SmallRequest | NextHeader::MediumRequest | NextHeader::StandardRequest => {
                SemanticRequest::parse(next, bytes).map(Self::Request).map(Some)
            }
            NextHeader::Response | NextHeader::ResponseWithData | NextHeader::SmallResponseWithData => {
                SemanticResponse::parse(next, bytes).map(Self::Response).map(Some)
            }
        }
    }

    /// Checks that the header can be written.
    pub(super) fn check(&self) -> Result<(), WireError> {
        match self {
            Self::Request(header) => header.check(),
            Self::Response(_) => Ok(()),
        }
    }

    /// Writes the header, which [`Self::check`] has accepted, to the front of `bytes`, which are
    /// long enough.
    pub(super) fn emit(&self, bytes: &mut [u8]) {
        match self {
            Self::Request(header) => header.emit(bytes),
            Self::Response(header) => header.emit(bytes),
        }
    }
}
