/// What one stream may make the parser hold, in bytes.
package struct ServerSentEventLimits: Sendable {
    /// The longest line, its field name included and its line end not.
    package var lineBytes: Int
    /// The most data of one event, its lines joined with LF.
    package var eventBytes: Int

    /// A generated image comes as one line of base64.
    package static let standardBytes = 16 << 20

    package init(lineBytes: Int = standardBytes, eventBytes: Int = standardBytes) {
        self.lineBytes = lineBytes
        self.eventBytes = eventBytes
    }
}
