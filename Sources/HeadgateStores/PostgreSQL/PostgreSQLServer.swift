package import HeadgateConfiguration
internal import HeadgateEventLoop
internal import HeadgatePrimitives

/// A database on a PostgreSQL server, to which connections are made.
package final class PostgreSQLServer: Sendable {
    /// Time limits.
    package struct Patience: Sendable {
        /// Seconds to connect to one host.
        var connecting = 5
        /// Time limit of immediate statements.
        var answer = Duration.seconds(10)
        /// Time limit of statements that change or read many rows.
        var work = Duration.seconds(30)
        /// First and longest pause before an unavailable server is tried again.
        var pause = (first: Duration.milliseconds(200), longest: Duration.seconds(5))

        package init() {}
    }

    /// Name of the database for logs, without user and password.
    package let name: String
    let patience: Patience
    private let url: Locked<PostgreSQLURL>

    package init(_ url: PostgreSQLURL, patience: Patience = Patience()) {
        name = url.place
        self.patience = patience
        self.url = Locked(url)
    }

    /// Changes the user or password of new connections. The place must be the same.
    package func change(to url: PostgreSQLURL) { self.url.withLock { $0 = url } }

    var current: PostgreSQLURL { url.withLock(\.self) }

    /// Connects to the server, and waits until that is done.
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
