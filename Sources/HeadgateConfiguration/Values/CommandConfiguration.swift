/// A program on this machine that serves an upstream, run by the gateway.
package struct CommandConfiguration: Sendable, Equatable {
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
    /// Whether it is started with the gateway, rather than by the first request that needs it.
    package var preload: Bool
    /// How long the program may take until it is healthy.
    package var startTimeout: Duration
    /// Without a request for this long it is stopped, until the next one; nil means never.
    package var ttl: Duration?
    /// Group of programs of which only some run at once; nil for none.
    package var group: String?

    package init(
        arguments: [String], environment: [Variable] = [], healthPath: String = "/health", preload: Bool = false,
        startTimeout: Duration = .seconds(300), ttl: Duration? = nil, group: String? = nil
    ) {
        self.arguments = arguments
        self.environment = environment
        self.healthPath = healthPath
        self.preload = preload
        self.startTimeout = startTimeout
        self.ttl = ttl
        self.group = group
    }
}

/// Programs on this machine of which only some run at once, such as those that share a GPU.
package struct ProgramGroupConfiguration: Sendable, Equatable {
    package var name: String
    /// Maximum number of programs that run at once.
    package var max = 1
    /// Maximum number of requests that wait for a program.
    package var queue = 64
    /// How long a request waits for its program to have its turn.
    package var wait = Duration.seconds(120)
    /// How long requests in flight have to end before their program makes room.
    package var drain = Duration.seconds(60)

    package init(name: String) { self.name = name }
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
