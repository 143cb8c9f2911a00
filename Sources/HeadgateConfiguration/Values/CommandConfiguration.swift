/// A program on this machine that serves an upstream, run by the gateway.
package struct CommandConfiguration: Sendable, Equatable {
    package enum Start: String, Sendable, CaseIterable {
        /// With the gateway.
        case launch
        /// By the first request that needs it.
        case firstUse = "first_use"
    }

    package struct Variable: Sendable, Equatable {
        package var name: String
        package var value: Secret

        package init(name: String, value: Secret) {
            self.name = name
            self.value = value
        }
    }

    /// The program, by absolute path or found in PATH, and its arguments; never empty.
    package var arguments: [String]
    /// Added to what the program inherits, which is not the gateway's whole environment.
    package var environment: [Variable]
    /// Path at which `GET` returns 200 once the program can serve, such as `/health`; on the upstream's host and port.
    package var healthPath: String
    package var start: Start
    /// How long the program may take until it is healthy.
    package var startTimeout: Duration
    /// Without a request for this long it is stopped, until the next one; nil means never.
    package var idleStop: Duration?

    package init(
        arguments: [String], environment: [Variable] = [], healthPath: String = "/health", start: Start = .firstUse,
        startTimeout: Duration = .seconds(300), idleStop: Duration? = nil
    ) {
        self.arguments = arguments
        self.environment = environment
        self.healthPath = healthPath
        self.start = start
        self.startTimeout = startTimeout
        self.idleStop = idleStop
    }
}

/// A program that prints an upstream's key, run by the gateway.
package struct KeyCommandConfiguration: Sendable, Equatable {
    /// The program, by absolute path or found in PATH, and its arguments; never empty.
    package var arguments: [String]
    /// Added to the few variables that the program inherits.
    package var environment: [CommandConfiguration.Variable]
    /// Time between two runs; nil to run it only before its key expires and after the upstream has refused it.
    package var every: Duration?
    /// How long one run may take, at most 5 minutes.
    package var timeout: Duration

    package init(
        arguments: [String], environment: [CommandConfiguration.Variable] = [], every: Duration? = nil,
        timeout: Duration = .seconds(10)
    ) {
        self.arguments = arguments
        self.environment = environment
        self.every = every
        self.timeout = timeout
    }
}
