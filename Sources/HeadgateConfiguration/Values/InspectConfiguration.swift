/// Requests whose content an admin can read on `/status`, in memory only.
package struct InspectConfiguration: Sendable, Hashable {
    /// Number of stored requests, the latest ones.
    package var requests: Int
    /// Bytes of each stored body; longer ones are cut.
    package var bodies: Int

    /// Highest product of both.
    package static let most = 256 << 20

    package init(requests: Int = 100, bodies: Int = 64 << 10) {
        self.requests = requests
        self.bodies = bodies
    }
}
