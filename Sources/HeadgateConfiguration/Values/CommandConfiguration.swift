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

    /// Program, by absolute path or found in PATH, and its arguments; never empty.
    package var arguments: [String]
    /// Variables added to those that the program inherits, which are not the gateway's whole environment.
    package var environment: [Variable]
    /// Path on the upstream's host and port at which `GET` returns 200 once the program can serve, such as `/health`.
    package var healthPath: String
    /// Whether the program starts with the gateway, instead of with the first request that needs it.
    package var preload: Bool
    /// Maximum time from the program's start until it is healthy.
    package var startTimeout: Duration
    /// Idle time after which the program is stopped until the next request; nil means never.
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

/// Programs on this machine of which only some run at once, for example because they share a GPU.
package struct ProgramGroupConfiguration: Sendable, Equatable {
    package var name: String
    /// Maximum number of programs that run at once.
    package var max = 1
    /// Maximum number of requests that wait for a program.
    package var queue = 64
    /// Maximum time that a request waits for its program's turn.
    package var wait = Duration.seconds(120)
    /// Maximum time that requests in flight have to finish before their program makes room.
    package var drain = Duration.seconds(60)

    package init(name: String) { self.name = name }
}

/// A program that prints an upstream's key. The gateway runs it.
package struct KeyCommandConfiguration: Sendable, Equatable {
    /// Program, by absolute path or found in PATH, and its arguments; never empty.
    package var arguments: [String]
    /// Variables added to the few that the program inherits.
    package var environment: [CommandConfiguration.Variable]
    /// Time between two runs. If it is nil, the program runs only before its key expires, and after the upstream
    /// rejects the key.
    package var every: Duration?
    /// Timeout of one run, at most 5 minutes.
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
