/// Storage of recent requests, whose content an admin can read on `/status`. It is in memory only.
package struct InspectConfiguration: Sendable, Hashable {
    /// Number of the latest requests that are stored.
    package var requests: Int
    /// Maximum bytes of each stored body; longer ones are cut.
    package var bodies: Int

    /// Maximum product of ``requests`` and ``bodies``, in bytes.
    package static let most = 256 << 20

    package init(requests: Int = 100, bodies: Int = 64 << 10) {
        self.requests = requests
        self.bodies = bodies
    }
}
