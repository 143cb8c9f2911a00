/// What the gateway accepts at most.
package struct LimitsConfiguration: Sendable, Hashable {
    /// Bytes of a request body after authentication, from 1 to 16 GiB.
    package var body: Int
    /// Open client connections; nil lets the gateway derive it from the limit on open files.
    package var connections: Int?

    package init(body: Int = 32 << 20, connections: Int? = nil) {
        self.body = body
        self.connections = connections
    }
}
