extension LimitsConfiguration {
    /// What the gateway holds for its clients at most, in words for people.
    ///
    /// - Parameter connections: that may be open at once.
    package func memoryCeiling(connections: Int) -> String {
        // A head, what may be sent ahead, and the queues of both directions.
        let buffers = connections * (16 + 64 + 2 * 256) / 1024
        return "their buffers take at most \(buffers) MiB, if every client is slow; "
            + "a stream holds up to \(LimitsConfiguration.size(event)) more for the event that it is in, and "
            + "request bodies take at most \(LimitsConfiguration.size(bodyMemory)) in all"
    }

    private static func size(_ bytes: Int) -> String {
        bytes % (1 << 20) == 0 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
    }
}
