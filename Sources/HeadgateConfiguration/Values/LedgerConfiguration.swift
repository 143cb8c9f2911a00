/// Storage of the usage of requests.
package struct LedgerConfiguration: Sendable, Equatable {
    package enum Place: Sendable, Equatable {
        /// In a file of the data folder, or in memory if that cannot be written.
        case standard
        /// An absolute path.
        case file(String)
        /// Together with the managed keys; several gateways may share it.
        case postgreSQL(PostgreSQLURL)
        /// Until the process ends.
        case memory
        case none
    }

    package var place: Place
    /// From when a request has ended.
    package var lifetime: Duration

    package static let standardLifetime = Duration.seconds(90 * 86_400)

    package init(place: Place = .standard, lifetime: Duration = standardLifetime) {
        self.place = place
        self.lifetime = lifetime
    }
}
