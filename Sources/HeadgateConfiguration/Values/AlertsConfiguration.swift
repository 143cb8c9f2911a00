/// Destination of alerts about budgets that run out and targets that fail.
package struct AlertsConfiguration: Sendable, Equatable {
    /// A program and its arguments, which reads each alert as JSON; empty for none.
    package var command: [String] = []
    /// The URL that each alert is posted to; nil for none. Its path can be a secret.
    package var url: UpstreamURL?
    /// Deadline of one delivery.
    package var timeout = Duration.seconds(10)

    package init() {}
}
