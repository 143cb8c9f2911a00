/// Why a settings file is left as it is.
package struct EditRefusal: Error, Equatable {
    /// A clause that follows the file's path, such as "is not valid JSON at line 3".
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
