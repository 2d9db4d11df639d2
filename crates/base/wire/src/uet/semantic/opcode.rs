//! The codes of semantic headers: operations, responses, what became of a request, atomics.
//!
//! The names are the specification's without their prefix. Source: reference provider; Wireshark,
//! xdp2 and libfabric's `suet` provider agree on all that they have. Status: published.

use crate::uet::fields::codes;

codes! {
    /// The operation of a request: 6 bits. 0x30 to 0x3e are for vendors, 0x3f for an extension.
    SemanticOpcode, 0x3f;
    /// Nothing.
    NO_OPERATION = 0x00, "NO_OP";
    /// Write to the target's memory.
    WRITE = 0x01, "WRITE";
    /// Read the target's memory.
    READ = 0x02, "READ";
    /// Atomic operation.
    ATOMIC = 0x03, "ATOMIC";
    /// Atomic operation that returns the earlier value.
    FETCHING_ATOMIC = 0x04, "FETCHING_ATOMIC";
    /// Send to a receive queue.
    SEND = 0x05, "SEND";
    /// Send whose rest the target reads.
    RENDEZVOUS_SEND = 0x06, "RENDEZVOUS_SEND";
    /// Send of one packet.
    DATAGRAM_SEND = 0x07, "DATAGRAM_SEND";
    /// Send that the target may stop and restart later.
    DEFERRABLE_SEND = 0x08, "DEFERRABLE_SEND";
    /// Send with a tag.
    TAGGED_SEND = 0x09, "TAGGED_SEND";
    /// Send with a tag, whose rest the target reads.
    RENDEZVOUS_TAGGED_SEND = 0x0a, "RENDEZVOUS_TSEND";
    /// Send with a tag that the target may stop and restart later.
    DEFERRABLE_TAGGED_SEND = 0x0b, "DEFERRABLE_TSEND";
    /// The target is ready for a deferred send.
    READY_TO_RESTART = 0x0c, "DEFERRABLE_RTR";
    /// Atomic operation on a buffer that a tag selects.
    TAGGED_ATOMIC = 0x0d, "TSEND_ATOMIC";
    /// Atomic operation on a buffer that a tag selects, which returns the earlier value.
    TAGGED_FETCHING_ATOMIC = 0x0e, "TSEND_FETCH_ATOMIC";
    /// Ends a message after an error of the initiator.
    MESSAGE_ERROR = 0x0f, "MSG_ERROR";
    /// Write of a group that the target counts. Only in the reference provider; reserved in
    /// specification 1.0.1.
    SYNC_WRITE = 0x10, "SYNC_WRITE";
    /// Atomic operation of a group that the target counts. Only in the reference provider; reserved
    /// in specification 1.0.1.
    SYNC_ATOMIC = 0x11, "SYNC_ATOMIC";
}

codes! {
    /// The kind of a response: 6 bits. 0x30 and above are for vendors.
    ResponseOpcode, 0x3f;
    /// The packet arrived; nothing more is known.
    DEFAULT = 0x00, "DEFAULT_RESPONSE";
    /// What became of the request.
    RESPONSE = 0x01, "RESPONSE";
    /// The data of a read or of a fetching atomic operation.
    WITH_DATA = 0x02, "RESPONSE_W_DATA";
    /// There is no response.
    NONE = 0x03, "NO_RESPONSE";
}

codes! {
    /// What became of a request: 6 bits. 0x30 to 0x37 are for vendors, 0x3e for an extension.
    SemanticStatus, 0x3f;
    /// Not known.
    NULL = 0x00, "NULL";
    /// Done.
    OK = 0x01, "OK";
    /// The resource has another generation.
    BAD_GENERATION = 0x02, "BAD_GENERATION";
    /// The resource is disabled.
    DISABLED = 0x03, "DISABLED";
    /// The resource is disabled, and has generations.
    DISABLED_GENERATION = 0x04, "DISABLED_GEN";
    /// No receive matches.
    NO_MATCH = 0x05, "NO_MATCH";
    /// The operation is not supported.
    UNSUPPORTED_OPERATION = 0x06, "UNSUPPORTED_OP";
    /// The size is not supported.
    UNSUPPORTED_SIZE = 0x07, "UNSUPPORTED_SIZE";
    /// Address translation: no such context.
    TRANSLATION_INVALID = 0x08, "AT_INVALID";
    /// Address translation: not permitted.
    TRANSLATION_PERMISSION = 0x09, "AT_PERM";
    /// Address translation: the host's service failed.
    TRANSLATION_SERVICE = 0x0a, "AT_ATS_ERROR";
    /// Address translation: none.
    TRANSLATION_NONE = 0x0b, "AT_NO_TRANS";
    /// Address translation: out of range.
    TRANSLATION_RANGE = 0x0c, "AT_OUT_OF_RANGE";
    /// The host's memory returned damaged data.
    HOST_POISONED = 0x0d, "HOST_POISONED";
    /// The host did not complete an access.
    HOST_UNSUCCESSFUL = 0x0e, "HOST_UNSUCCESS_CMPL";
    /// The atomic operation is not supported.
    ATOMIC_OPERATION = 0x0f, "AMO_UNSUPPORTED_OP";
    /// The type of an atomic operation is not supported.
    ATOMIC_TYPE = 0x10, "AMO_UNSUPPORTED_DT";
    /// The size of an atomic operation is not a multiple of its type.
    ATOMIC_SIZE = 0x11, "AMO_UNSUPPORTED_SIZE";
    /// The address of an atomic operation is not aligned.
    ATOMIC_UNALIGNED = 0x12, "AMO_UNALIGNED";
    /// An atomic operation made no number.
    ATOMIC_NAN = 0x13, "AMO_FP_NAN";
    /// An atomic operation underflowed.
    ATOMIC_UNDERFLOW = 0x14, "AMO_FP_UNDERFLOW";
    /// An atomic operation overflowed.
    ATOMIC_OVERFLOW = 0x15, "AMO_FP_OVERFLOW";
    /// An atomic operation rounded.
    ATOMIC_INEXACT = 0x16, "AMO_FP_INEXACT";
    /// Not permitted.
    PERMISSION = 0x17, "PERM_VIOLATION";
    /// The buffer does not allow the operation.
    OPERATION = 0x18, "OP_VIOLATION";
    /// No such resource.
    BAD_INDEX = 0x19, "BAD_INDEX";
    /// No such process.
    BAD_PID = 0x1a, "BAD_PID";
    /// No such job.
    BAD_JOB = 0x1b, "BAD_JOB_ID";
    /// No such memory key.
    BAD_KEY = 0x1c, "BAD_MKEY";
    /// No such address.
    BAD_ADDRESS = 0x1d, "BAD_ADDR";
    /// The target cancelled the message.
    CANCELLED = 0x1e, "CANCELLED";
    /// The message cannot be delivered.
    UNDELIVERABLE = 0x1f, "UNDELIVERABLE";
    /// An error that will not go away by itself.
    UNCORRECTABLE = 0x20, "UNCOR";
    /// An error that will probably go away.
    UNCORRECTABLE_TRANSIENT = 0x21, "UNCOR_TRNSNT";
    /// The message is longer than its buffer.
    TOO_LONG = 0x22, "TOO_LONG";
    /// The initiator reported an error.
    INITIATOR_ERROR = 0x23, "INITIATOR_ERROR";
    /// The target dropped the message.
    DROPPED = 0x24, "DROPPED";
}

codes! {
    /// The list in which a message found its buffer: 2 bits; 2 and 3 are for vendors.
    DeliveredList, 0x03;
    /// A posted receive.
    EXPECTED = 0, "EXPECTED";
    /// A buffer for unexpected messages.
    OVERFLOW = 1, "OVERFLOW";
}

codes! {
    /// An atomic operation on the target's number: 8 bits. 0xe0 to 0xfe are for vendors.
    AtomicCode, 0xff;
    /// Minimum.
    MIN = 0x00, "MIN";
    /// Maximum.
    MAX = 0x01, "MAX";
    /// Sum.
    SUM = 0x02, "SUM";
    /// Difference.
    DIFFERENCE = 0x03, "DIFF";
    /// Product.
    PRODUCT = 0x04, "PROD";
    /// Logical or.
    LOGICAL_OR = 0x05, "LOR";
    /// Logical and.
    LOGICAL_AND = 0x06, "LAND";
    /// Bitwise or.
    BITWISE_OR = 0x07, "BOR";
    /// Bitwise and.
    BITWISE_AND = 0x08, "BAND";
    /// Logical exclusive or.
    LOGICAL_XOR = 0x09, "LXOR";
    /// Bitwise exclusive or.
    BITWISE_XOR = 0x0a, "BXOR";
    /// Read.
    READ = 0x0b, "READ";
    /// Write.
    WRITE = 0x0c, "WRITE";
    /// Swap if equal.
    SWAP_EQUAL = 0x0d, "CSWAP";
    /// Swap if not equal.
    SWAP_NOT_EQUAL = 0x0e, "CSWAP_NE";
    /// Swap if less or equal.
    SWAP_LESS_EQUAL = 0x0f, "CSWAP_LE";
    /// Swap if less.
    SWAP_LESS = 0x10, "CSWAP_LT";
    /// Swap if greater or equal.
    SWAP_GREATER_EQUAL = 0x11, "CSWAP_GE";
    /// Swap if greater.
    SWAP_GREATER = 0x12, "CSWAP_GT";
    /// Swap the bits of a mask.
    SWAP_MASKED = 0x13, "MSWAP";
    /// Take the number out of the target's cache.
    INVALIDATE = 0x14, "INVAL";
}

impl AtomicCode {
    /// Whether it has a second operand, what to compare with or a mask.
    ///
    /// Wireshark takes the masked swap for an operation with one operand. Source: reference
    /// provider for the compare operations; a public data model of specification 1.0.1 for the
    /// masked swap. Status: published.
    #[must_use]
    pub const fn has_two_operands(self) -> bool {
        self.get() >= Self::SWAP_EQUAL.get() && self.get() <= Self::SWAP_MASKED.get()
    }
}

codes! {
    /// The type of the number of an atomic operation: 8 bits. 0xe0 to 0xfe are for vendors.
    AtomicNumber, 0xff;
    /// Signed, 8 bits.
    INT8 = 0x00, "INT8";
    /// Unsigned, 8 bits.
    UINT8 = 0x01, "UINT8";
    /// Signed, 16 bits.
    INT16 = 0x02, "INT16";
    /// Unsigned, 16 bits.
    UINT16 = 0x03, "UINT16";
    /// Signed, 32 bits.
    INT32 = 0x04, "INT32";
    /// Unsigned, 32 bits.
    UINT32 = 0x05, "UINT32";
    /// Signed, 64 bits.
    INT64 = 0x06, "INT64";
    /// Unsigned, 64 bits.
    UINT64 = 0x07, "UINT64";
    /// Signed, 128 bits.
    INT128 = 0x08, "INT128";
    /// Unsigned, 128 bits.
    UINT128 = 0x09, "UINT128";
    /// Floating point, 32 bits.
    FLOAT = 0x0a, "FLOAT";
    /// Floating point, 64 bits.
    DOUBLE = 0x0b, "DOUBLE";
    /// Two of 32 bits.
    FLOAT_COMPLEX = 0x0c, "FLOAT_COMPLEX";
    /// Two of 64 bits.
    DOUBLE_COMPLEX = 0x0d, "DOUBLE_COMPLEX";
    /// Floating point of extended precision.
    LONG_DOUBLE = 0x0e, "LONG_DOUBLE";
    /// Two of extended precision.
    LONG_DOUBLE_COMPLEX = 0x0f, "LONG_DOUBLE_COMPLEX";
    /// Floating point, 16 bits, 8 of them exponent.
    BFLOAT16 = 0x10, "BF16";
    /// Floating point, 16 bits, 5 of them exponent.
    FLOAT16 = 0x11, "FP16";
}
