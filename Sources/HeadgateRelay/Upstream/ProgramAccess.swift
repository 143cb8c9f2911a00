/// A program on this machine that the gateway runs for an upstream.
package struct ProgramAccess: Sendable {
    /// State of the program, for people.
    package struct Status: Sendable, Equatable {
        /// One word: stopped, starting, ready, stopping or failed.
        package var state: String
        /// Group of programs of which only some run at once; nil for none.
        package var group: String?
        /// Why it has failed; nil if it has not.
        package var reason: String?
        package var requestsInFlight: Int
        /// Number of requests that wait for it.
        package var waiting: Int
        /// How often it was started.
        package var starts: Int
        /// Last lines that it has written, the newest last.
        package var output: [String]

        package init(
            state: String, group: String?, reason: String?, requestsInFlight: Int, waiting: Int, starts: Int,
            output: [String]
        ) {
            self.state = state
            self.group = group
            self.reason = reason
            self.requestsInFlight = requestsInFlight
            self.waiting = waiting
            self.starts = starts
            self.output = output
        }
    }

    package let status: @Sendable () -> Status
    /// Stops the program until the next request that needs it, once its requests in flight have ended.
    package let unload: @Sendable () -> Void

    package init(status: @escaping @Sendable () -> Status, unload: @escaping @Sendable () -> Void) {
        self.status = status
        self.unload = unload
    }
}
