/// A PostgreSQL database, as libpq accepts it:
/// `postgresql://[user[:password]@][host[:port],...]/database[?name=value&...]`.
///
/// Its secrets are only returned by ``reveal()``.
package struct PostgreSQLURL: Sendable, Equatable, CustomStringConvertible {
    private let text: Secret
    /// The passwords in it, as they are written and as they are meant: nothing that is shown may hold one.
    package let passwords: [Secret]
    /// Hosts, ports and database, without the user.
    package let place: String
    /// All of it but for the passwords.
    let shown: String

    init(text: Secret, passwords: [Secret], place: String, shown: String) {
        self.text = text
        self.passwords = passwords
        self.place = place
        self.shown = shown
    }

    /// For libpq.
    package func reveal() -> String { text.reveal() }

    package var holdsPassword: Bool { !passwords.isEmpty }

    package var description: String { place }
}
