package import HeadgateConfiguration
package import HeadgateEventLoop
import HeadgateGateway
internal import HeadgatePrimitives
import HeadgateRelay
package import HeadgateUpstream

/// Asks the collector of a configuration whether it takes spans, with an export that has none.
package struct CollectorProbe {
    package struct Finding: Sendable {
        package let works: Bool
        /// Message, possibly of the collector; not safe for a terminal.
        package let words: String
    }

    /// Who takes longer loses spans.
    private static let patience = Duration.seconds(10)

    private let collector: SpanCollector
    private let timeout: Duration

    /// - Throws: ``Complaint`` where TLS cannot be used.
    package init(_ configuration: TracingConfiguration, network: UpstreamNetwork) throws {
        var configuration = configuration
        configuration.timeout = min(configuration.timeout, CollectorProbe.patience)
        timeout = configuration.timeout
        collector = try SpanCollector(configuration, over: network)
    }

    /// Waits for the answer. From no loop.
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
        // For the connection, for the answer, and for what there is besides.
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
