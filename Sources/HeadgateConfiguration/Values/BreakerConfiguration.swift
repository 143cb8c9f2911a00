/// When a target that fails is left out for a while.
package struct BreakerConfiguration: Sendable, Hashable {
    /// After so many failures in a row, from 1 to 1000.
    package var failures: Int
    /// For so long, until one request tries it again; from 1 s to 24 h.
    package var cooldown: Duration

    package init(failures: Int = 5, cooldown: Duration = .seconds(30)) {
        self.failures = failures
        self.cooldown = cooldown
    }
}
