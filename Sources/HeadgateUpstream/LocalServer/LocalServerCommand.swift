/// How a program is run that serves an upstream on this machine.
package struct LocalServerCommand: Sendable {
    /// The upstream's name, for messages.
    package var name: String
    /// The program, by path or found in PATH, and its arguments.
    package var arguments: [String]
    /// Added to the environment of the program; read at each start, so that secrets stay covered until then.
    package var variables: @Sendable () -> [String: String]
    /// With the gateway, or by the first request.
    package var startsAtLaunch: Bool
    /// How long the program may take until it is healthy.
    package var startTimeout: Duration
    /// Without a request for this long it is stopped; nil means never.
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
