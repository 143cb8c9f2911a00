internal import HeadgateConfiguration

/// What is kept of one model's answers, and where.
struct CachePolicy: Sendable {
    /// Nanoseconds.
    let ttl: Int64
    let isShared: Bool
    let takesAnyTemperature: Bool
    let isPaced: Bool
    /// Octets of all answers that are kept.
    let memory: Int

    init?(_ configuration: CacheConfiguration?, memory: Int) {
        guard let configuration else { return nil }
        ttl = Int64(clamping: configuration.ttl.wholeNanoseconds)
        isShared = configuration.isShared
        takesAnyTemperature = configuration.takesAnyTemperature
        isPaced = configuration.replay == .paced
        self.memory = memory
    }

    /// Octets of one answer.
    var limit: Int { memory / 8 }
}
