package import HeadgateConfiguration
package import HeadgateEventLoop
import HeadgateGateway
internal import HeadgatePrimitives
import HeadgateRelay
package import HeadgateUpstream

/// Checks whether the collector of a configuration accepts spans, with an empty export.
package struct CollectorProbe {
    package struct Finding: Sendable {
        package let works: Bool
        /// Message, possibly of the collector; not safe for a terminal.
        package let words: String
    }

    /// Maximum timeout of the check. A collector that takes longer loses spans.
    private static let patience = Duration.seconds(10)

    private let collector: SpanCollector
    private let timeout: Duration

    /// - Throws: ``Complaint`` if TLS cannot be used.
    package init(_ configuration: TracingConfiguration, network: UpstreamNetwork) throws {
        var configuration = configuration
        configuration.timeout = min(configuration.timeout, CollectorProbe.patience)
        timeout = configuration.timeout
        collector = try SpanCollector(configuration, over: network)
    }

    /// Waits for the response. Must not be called on a loop.
    package func ask(on loop: EventLoop) -> Finding {
        let answer = Locked<SpanAnswer?>(nil)
        let arrived = Latch()
        let collector = collector
        loop.execute {
            let nothing = SpanExport(Array(#"{"resourceSpans":[]}"#.utf8), isCompressed: false)
            _ = collector.send(nothing) { result in
                answer.withLock { $0 = result }
                arrived.open()
            }
        }
        // Time for the connection and for the response, and a margin.
        _ = arrived.wait(atMost: timeout * 2 + .seconds(1))
        return finding(answer.withLock(\.self))
    }

    private func finding(_ answer: SpanAnswer?) -> Finding {
        switch answer {
        case .taken?: Finding(works: true, words: "\(collector) takes spans")
        case .refused(let reason)?: Finding(works: false, words: "\(collector) takes no spans: \(reason)")
        case .failed(let reason, _)?: Finding(works: false, words: "\(collector) cannot take spans now: \(reason)")
        case nil: Finding(works: false, words: "\(collector) does not answer")
        }
    }
}
