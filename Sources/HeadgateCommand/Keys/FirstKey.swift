import HeadgateConfiguration
import HeadgateLibC
import HeadgateService

/// Confirmation before the first key of a keyless gateway.
struct FirstKey {
    /// Whether requests without a key are accepted now, and would be rejected after the first key.
    let turnsAuthenticationOn: Bool

    /// - Parameter configuration: Configuration of the gateway; nil if it cannot be read here.
    init(_ configuration: Configuration?) {
        turnsAuthenticationOn =
            configuration.map {
                $0.keys.isEmpty && !ClientAuthentication.needsKey($0, ProcessEnvironment.current)
            } ?? false
    }

    /// Asks for confirmation.
    ///
    /// - Throws: ``Complaint`` if the answer is no, or standard input is not a terminal.
    func confirm() throws {
        let effect = "This is the first key: from then on every request needs one, and apps without a key get 401."
        guard StandardInput.isTerminal else {
            throw Complaint("\(effect) Repeat the command with --yes to turn authentication on")
        }
        complain("\(effect) Turn authentication on? [y/N]")
        guard ["y", "yes"].contains(readLine()?.lowercased() ?? "") else {
            throw Complaint("no key was made, and authentication is off as before")
        }
    }
}
