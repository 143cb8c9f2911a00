import HeadgateUpstream

/// Tells people about the programs that the gateway runs for its upstreams.
struct ProgramLog: Sendable {
    let log: LogWriter

    /// - Parameter upstream: whose program it is.
    func tell(_ event: LocalServerEvent, upstream: String) {
        switch event {
        case .state(.starting): log.say("headgate: starting the program of '\(upstream)'")
        case .state(.ready): log.say("headgate: the program of '\(upstream)' is ready")
        case .state(.stopping): log.say("headgate: stopping the program of '\(upstream)'")
        case .state(.stopped): break
        case .state(.failed(let reason)): log.say("headgate: the program of '\(upstream)': \(reason)")
        case .output(let line): log.say("  \(upstream): \(line)")
        case .outputLeftOut(let count): log.say("  \(upstream): (\(count) lines left out)")
        }
    }
}
