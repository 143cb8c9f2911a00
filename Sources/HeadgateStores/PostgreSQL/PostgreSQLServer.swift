package import HeadgateConfiguration
internal import HeadgateEventLoop
internal import HeadgatePrimitives

/// A database on a server of PostgreSQL, which connections are made to.
package final class PostgreSQLServer: Sendable {
    /// How long is waited for it.
    package struct Patience: Sendable {
        /// Seconds for one host.
        var connecting = 5
        /// For the answer to what takes no time.
        var answer = Duration.seconds(10)
        /// For what changes or reads many rows.
        var work = Duration.seconds(30)
        /// Until a server that was not there is tried again: the first time, and at most.
        var pause = (first: Duration.milliseconds(200), longest: Duration.seconds(5))

        package init() {}
    }

    /// Fit for a log.
    package let name: String
    let patience: Patience
    private let url: Locked<PostgreSQLURL>

    package init(_ url: PostgreSQLURL, patience: Patience = Patience()) {
        name = url.place
        self.patience = patience
        self.url = Locked(url)
    }

    /// For connections that are made from now on: another user or password, and the same place.
    package func change(to url: PostgreSQLURL) { self.url.withLock { $0 = url } }

    var current: PostgreSQLURL { url.withLock(\.self) }

    /// Makes a connection. Waits for it.
    func connect() throws(StoreError) -> PostgreSQLConnection { try PostgreSQLConnection(to: self) }

    /// Returns a message of libpq or the server on one line, of bounded length, without a password.
    func shown(_ text: String) -> String {
        var text = text
        for password in current.passwords {
            text = text.replacing(password.reveal(), with: "<redacted>")
        }
        let scalars = text.unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? " " : $0 }
        let words = String(String.UnicodeScalarView(scalars)).split(separator: " ")
        return String(words.joined(separator: " ").prefix(300))
    }
}
