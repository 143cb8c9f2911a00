package import HTTPTypes

/// The head of a request to an upstream, encoded once for all requests that have the same one.
///
/// May hold a real key: never printed.
package final class OutgoingHead: Sendable, CustomStringConvertible, CustomReflectable {
    package let request: HTTPRequest
    /// The request line and the fields, without those of the framing and without the last line's end.
    let bytes: [UInt8]
    /// Whether its response has no body, whatever its fields say (HEAD).
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
