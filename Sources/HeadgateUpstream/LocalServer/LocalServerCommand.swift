/// How to run a program that serves an upstream on this machine.
package struct LocalServerCommand: Sendable {
    /// Name of the upstream, for messages.
    package var name: String
    /// Program, as a path or a name to be found in `PATH`, and its arguments.
    package var arguments: [String]
    /// Variables added to the program's environment. They are read at each start, so that secrets stay covered until
    /// then.
    package var variables: @Sendable () -> [String: String]
    /// Whether the program starts with the gateway, instead of with the first request.
    package var startsAtLaunch: Bool
    /// Maximum time until the program is healthy.
    package var startTimeout: Duration
    /// Time without requests after which the program is stopped; nil for never.
    package var idleStop: Duration?

    package init(
        name: String, arguments: [String], variables: @escaping @Sendable () -> [String: String] = { [:] },
        startsAtLaunch: Bool = false, startTimeout: Duration = .seconds(300), idleStop: Duration? = nil
    ) {
        self.name = name
        self.arguments = arguments
        self.variables = variables
        self.startsAtLaunch = startsAtLaunch
        self.startTimeout = startTimeout
        self.idleStop = idleStop
    }
}
