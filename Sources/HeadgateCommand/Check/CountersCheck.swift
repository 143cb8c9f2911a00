import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateService
import HeadgateTerminal

/// Whether the server answers that counts limits for several gateways: what `headgate check --live` tells of it.
struct CountersCheck {
    struct Finding {
        let works: Bool
        let words: String

        var line: String { "counters: \(works ? "" : "FAILED: ")\(words)" }
    }

    let location: RedisLocation

    /// Nil where each gateway counts by itself.
    init?(_ configuration: CountersConfiguration) {
        guard case .redis(let location) = configuration else { return nil }
        self.location = location
    }

    /// Waits for the server.
    ///
    /// - Throws: ``Complaint`` where TLS cannot be used.
    func finding() throws -> Finding {
        let group = try EventLoopGroup(starting: 1)
        defer { group.stop() }
        let found = try CountersProbe(location).ask(on: group.loops[0])
        return Finding(works: found.works, words: Neutralised.line(found.words))
    }
}
