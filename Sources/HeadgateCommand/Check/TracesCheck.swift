import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateService
import HeadgateTerminal
import HeadgateUpstream

/// Check of the trace collector, for `headgate check --live` and `headgate doctor`.
struct TracesCheck {
    struct Finding {
        let works: Bool
        let words: String

        var line: String { "traces: \(works ? "" : "FAILED: ")\(words)" }
    }

    let tracing: TracingConfiguration

    /// Checks the collector and waits for the result.
    ///
    /// - Throws: ``Complaint`` if TLS cannot be used.
    func finding() throws -> Finding {
        let group = try EventLoopGroup(starting: 1)
        defer { group.stop() }
        let found = try CollectorProbe(tracing, network: UpstreamNetwork(group: group)).ask(on: group.loops[0])
        return Finding(works: found.works, words: Neutralised.line(found.words))
    }

    /// Returns the origin of the collector's address: a file or a variable.
    static func origin(in settings: [EffectiveSetting]) -> String? {
        settings.first { $0.path == "tracing.otlp" }?.origin
    }
}
