extension LimitsConfiguration {
    /// What the gateway holds for its clients at most, in words for people. The parts are not added up, as how many
    /// streams have large events is for the reader to say.
    ///
    /// - Parameter connections: that may be open at once.
    package func memoryCeiling(connections: Int) -> String {
        // A head, what may be sent ahead, and the queues of both directions.
        let buffers = connections * (16 + 64 + 2 * 256) / 1024
        return "at most \(buffers) MiB for the buffers of all connections, "
            + "\(LimitsConfiguration.size(bodyMemory)) for request bodies together, and "
            + "\(LimitsConfiguration.size(event)) for the event of each stream in flight"
    }

    private static func size(_ bytes: Int) -> String {
        bytes % (1 << 20) == 0 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
    }
}
