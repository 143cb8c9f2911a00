/// Why a text is not a value of its type and what to write instead. Never contains the text, which may be secret.
package struct InvalidValue: Error, Sendable, Equatable {
    package let message: String

    init(_ message: String) {
        self.message = message
    }
}
