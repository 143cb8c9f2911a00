import HeadgateConfiguration
import HeadgateEventLoop
import HeadgatePrimitives

@testable import HeadgateGateway
@testable import HeadgateRelay

/// A recorder that collects the spans of consecutive requests.
final class CollectedSpans: SpanRecording {
    private let traces = Locked<TraceTable>([:])
    private let spans = Locked<[Span]>([])

    func change(_ change: (inout TraceTable) -> Void) { traces.withLock { change(&$0) } }
    func record(_ spans: [Span]) { self.spans.withLock { $0 += spans } }

    var all: [Span] { spans.withLock { $0 } }
    /// Number of traces whose requests have not ended.
    var open: Int { traces.withLock { $0.count } }
    var server: Span? { all.first { $0.kind == .server } }
    /// Spans of attempts, in the order in which they began.
    var attempts: [Span] { all.filter { $0.kind == .client }.sorted { $0.start < $1.start } }

    func tracing(_ sampling: TraceSampling = TraceSampling(), content: Bool = false) throws -> Tracing {
        var configuration = TracingConfiguration(endpoint: try UpstreamURL(parsing: "http://127.0.0.1:4318/v1/traces"))
        configuration.sampling = sampling
        configuration.hasContent = content
        return Tracing(configuration, recording: self, realtime: { InProcessGateway.now })
    }
}

extension Span {
    func value(_ name: String) -> SpanAttribute.Value? { attributes.first { $0.name == name }?.value }

    func text(_ name: String) -> String? {
        if case .text(let text)? = value(name) { text } else { nil }
    }
}
