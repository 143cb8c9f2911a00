/// Destination of alerts about exhausted budgets and failing targets.
package struct AlertsConfiguration: Sendable, Equatable {
    /// Program and its arguments; it reads each alert as JSON. Empty for none.
    package var command: [String] = []
    /// URL to which each alert is posted; nil for none. Its path can be a secret.
    package var url: UpstreamURL?
    /// Timeout of one delivery.
    package var timeout = Duration.seconds(10)

    package init() {}
}
