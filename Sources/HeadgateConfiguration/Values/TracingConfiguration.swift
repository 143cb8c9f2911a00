/// Selection of traced requests, and destination of their spans.
package struct TracingConfiguration: Sendable, Equatable {
    package enum Compression: String, Sendable, CaseIterable {
        case gzip
        case none
    }

    /// The whole URL that spans are posted to; its scheme is http or https.
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
    /// Whether spans hold what was asked and answered.
    package var hasContent = false
    package var batching = SpanBatching()

    package static let standardService = "headgate"
    static let standardEndpoint = "http://127.0.0.1:4318"

    package init(endpoint: UpstreamURL) { self.endpoint = endpoint }
}

/// One thing that all spans of a process have in common, such as `deployment.environment`.
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
    /// Whether a caller that has begun a trace has decided for all of it.
    package var followsCallers = true

    package init(ratio: Double = 1, followsCallers: Bool = true) {
        self.ratio = ratio
        self.followsCallers = followsCallers
    }
}

/// How spans gather until they are sent.
package struct SpanBatching: Sendable, Equatable {
    /// How long a span waits for others.
    package var delay = Duration.seconds(5)
    /// Spans that wait at most; those beyond are lost.
    package var queue = 2048
    /// About how much memory they may take.
    package var octets = 16 << 20
    /// Spans of one export.
    package var batch = 512
    /// How long one batch is tried.
    package var patience = Duration.seconds(30)

    package init() {}
}
