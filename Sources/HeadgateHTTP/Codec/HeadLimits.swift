/// Bounds on a message head, counted as the bytes arrive.
package struct HeadLimits: Sendable {
    /// Bytes of the whole head, its empty line included.
    package var bytes: Int
    /// Field lines.
    package var lines: Int
    /// Bytes of the request target.
    package var target: Int

    package static let request = HeadLimits(bytes: 16 * 1024, lines: 100, target: 8 * 1024)
    /// Wider than for requests: upstreams set many and long fields.
    package static let response = HeadLimits(bytes: 64 * 1024, lines: 200, target: 64 * 1024)
}
