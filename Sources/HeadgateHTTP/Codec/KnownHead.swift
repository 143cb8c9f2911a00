internal import HTTPTypes

/// Everything about a parsed head except its bytes, from which the head of another request with the same bytes is
/// created.
///
/// Only the digits of a body's length can differ, if there are as many of them: then everything else is at the same
/// place.
package struct KnownHead {
    /// Range of the digits of the body's length in the head; empty if every byte must be the same.
    private let length: Range<Int>
    /// Bytes of the head without the empty line at its end.
    package let count: Int
    /// The head, without its bytes.
    private let head: RequestHead

    /// - Returns: nil for a head that is not what the client sent, byte for byte.
    package init?(_ head: RequestHead, credential: CredentialDigest?) {
        let bytes = head.fields.bytes
        guard bytes.suffix(2).elementsEqual([0x0D, 0x0A]) else { return nil }
        count = bytes.count
        switch head.method {
        case .post, .put, .patch:
            length = head.fields.entries.first { $0.token == .contentLength }?.value ?? 0..<0
        default: length = 0..<0
        }
        self.head = RequestHead(like: head, bytes: [], bodyLength: head.bodyLength, credential: credential)
    }

    /// Bytes of the whole head.
    @inline(__always)
    package var wholeCount: Int { count &+ 2 }

    /// Returns whether bytes end a head of this size, and have digits in place of its body's length. Examines no secret
    /// bytes.
    @inline(__always)
    package func hasForm(_ input: UnsafeRawBufferPointer) -> Bool {
        guard input.count >= wholeCount,
            input.loadUnaligned(fromByteOffset: count &- 2, as: UInt32.self) == UInt32(littleEndian: 0x0A0D_0A0D)
        else { return false }
        for offset in length where !ByteClass.isDigit(input[offset]) { return false }
        return true
    }

    /// Calls a closure with the bytes that must be the same: those before and after the length of the body.
    ///
    /// - Parameter head: at least ``count`` bytes.
    @inline(__always)
    package func withFixedParts<Result>(
        of head: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Result
    ) -> Result {
        body(head.slice(0..<length.lowerBound), head.slice(length.upperBound..<count))
    }

    /// Creates the head of a request.
    ///
    /// - Parameter input: bytes that begin with a head which has the form and the fixed parts of this one.
    package func head(of input: UnsafeRawBufferPointer) -> RequestHead {
        var bodyLength = head.bodyLength
        if !length.isEmpty { bodyLength = .fixed(length.reduce(0) { $0 &* 10 &+ Int(input[$1] &- 0x30) }) }
        return RequestHead(
            like: head, bytes: Array(input.slice(0..<count)), bodyLength: bodyLength, credential: head.credential)
    }
}

/// SHA-256 of the credential in a head. It depends on the bytes alone; each request decides whether the credential is
/// admitted.
package final class CredentialDigest: Sendable {
    package let words: (UInt64, UInt64, UInt64, UInt64)

    package init(_ words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }
}
