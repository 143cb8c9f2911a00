/// A program on this machine that the gateway runs for an upstream.
package struct ProgramAccess: Sendable {
    /// State of the program, for people.
    package struct Status: Sendable, Equatable {
        /// One word: stopped, starting, ready, stopping or failed.
        package var state: String
        /// Group of programs of which only some run at once; nil if there is none.
        package var group: String?
        /// Reason for the program's failure; nil if it has not failed.
        package var reason: String?
        package var requestsInFlight: Int
        /// Number of requests that wait for the program.
        package var waiting: Int
        /// Number of times that the program was started.
        package var starts: Int
        /// Last lines of the program's output, newest last.
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
