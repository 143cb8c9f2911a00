/// Storage of the usage of requests.
package struct LedgerConfiguration: Sendable, Equatable {
    package enum Place: Sendable, Equatable {
        /// A file in the data folder, or memory if the file is not writable.
        case standard
        /// A file at an absolute path.
        case file(String)
        /// A database that also stores the managed keys; several gateways can share it.
        case postgreSQL(PostgreSQLURL)
        /// Memory, until the process ends.
        case memory
        case none
    }

    package var place: Place
    /// Time for which a request is stored after its end.
    package var lifetime: Duration

    package static let standardLifetime = Duration.seconds(90 * 86_400)

    package init(place: Place = .standard, lifetime: Duration = standardLifetime) {
        self.place = place
        self.lifetime = lifetime
    }
}
