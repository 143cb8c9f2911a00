/// A name that led to no address.
package struct NameError: Error, Hashable, Sendable {
    /// The system's words, such as "Name or service not known".
    package let text: String

    package init(_ text: String) { self.text = text }
}
