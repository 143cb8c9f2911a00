/// URL of a PostgreSQL database in the form that libpq accepts:
/// `postgresql://[user[:password]@][host[:port],...]/database[?name=value&...]`.
///
/// Only ``reveal()`` returns its secrets.
package struct PostgreSQLURL: Sendable, Equatable, CustomStringConvertible {
    private let text: Secret
    /// Passwords in the URL, both as written and decoded, which must not appear in any output.
    package let passwords: [Secret]
    /// Hosts, ports and database, without the user.
    package let place: String
    /// The whole URL without the passwords.
    let shown: String

    init(text: Secret, passwords: [Secret], place: String, shown: String) {
        self.text = text
        self.passwords = passwords
        self.place = place
        self.shown = shown
    }

    /// Returns the URL with its passwords, for libpq.
    package func reveal() -> String { text.reveal() }

    package var holdsPassword: Bool { !passwords.isEmpty }

    package var description: String { place }
}
