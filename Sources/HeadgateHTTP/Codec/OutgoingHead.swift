package import HTTPTypes

/// Head of a request to an upstream, encoded once for all requests that have the same one.
///
/// It can contain a real key, and must never be printed.
package final class OutgoingHead: Sendable, CustomStringConvertible, CustomReflectable {
    package let request: HTTPRequest
    /// Request line and headers, without those of the framing and without the end of the last line.
    let bytes: [UInt8]
    /// Whether the response has no body, whatever its headers say (HEAD).
    let isHeadRequest: Bool

    package init(_ request: HTTPRequest) {
        self.request = request
        var bytes: [UInt8] = []
        HeadEncoder.appendLines(of: request, to: &bytes)
        self.bytes = bytes
        isHeadRequest = request.method == .head
    }

    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, unlabeledChildren: ["<redacted>"]) }
}
