/// What one stream may make the parser hold, in bytes.
package struct ServerSentEventLimits: Sendable {
    /// The longest line, its field name included and its line end not.
    package var lineBytes: Int
    /// The most data of one event, its lines joined with LF.
    package var eventBytes: Int

    package init(lineBytes: Int = 1 << 20, eventBytes: Int = 4 << 20) {
        self.lineBytes = lineBytes
        self.eventBytes = eventBytes
    }
}
