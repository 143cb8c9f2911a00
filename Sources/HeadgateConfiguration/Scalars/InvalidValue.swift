/// The reason why a text is not a valid value, and its remedy. Never contains the text, which can be secret.
package struct InvalidValue: Error, Sendable, Equatable {
    package let message: String

    init(_ message: String) {
        self.message = message
    }
}
