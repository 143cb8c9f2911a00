/// Selection of traced requests, and destination of their spans.
package struct TracingConfiguration: Sendable, Equatable {
    package enum Compression: String, Sendable, CaseIterable {
        case gzip
        case none
    }

    /// Complete URL to which spans are posted; its scheme is http or https.
    package var endpoint: UpstreamURL
    /// Headers of every export.
    package var headers: [HeaderConfiguration] = []
    /// Timeout of one export.
    package var timeout = Duration.seconds(10)
    package var compression = Compression.gzip
    /// Service name in the spans.
    package var service = TracingConfiguration.standardService
    /// Other attributes of the service.
    package var resource: [ResourceAttribute] = []
    package var sampling = TraceSampling()
    /// Whether spans contain the content of requests and responses.
    package var hasContent = false
    package var batching = SpanBatching()

    package static let standardService = "headgate"
    static let standardEndpoint = "http://127.0.0.1:4318"

    package init(endpoint: UpstreamURL) { self.endpoint = endpoint }
}

/// An attribute that all spans of a process share, such as `deployment.environment`.
package struct ResourceAttribute: Sendable, Equatable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// Selection of recorded traces.
package struct TraceSampling: Sendable, Equatable {
    /// Ratio of recorded traces among those that begin here, from 0 to 1.
    package var ratio = 1.0
    /// Whether the decision of a caller that began the trace is followed.
    package var followsCallers = true

    package init(ratio: Double = 1, followsCallers: Bool = true) {
        self.ratio = ratio
        self.followsCallers = followsCallers
    }
}

/// Batching of spans before they are sent.
package struct SpanBatching: Sendable, Equatable {
    /// Maximum time that a span waits for others.
    package var delay = Duration.seconds(5)
    /// Maximum number of waiting spans; further ones are dropped.
    package var queue = 2048
    /// Approximate maximum memory of waiting spans, in bytes.
    package var octets = 16 << 20
    /// Maximum number of spans in one export.
    package var batch = 512
    /// Maximum time for sending one batch, including retries.
    package var patience = Duration.seconds(30)

    package init() {}
}
