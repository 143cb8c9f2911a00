package import HTTPTypes

extension HTTPFields {
    /// No headers. Creating them would be an allocation.
    package static let none = HTTPFields()

    /// Returns the value of the first header with a name. The subscript joins all of them, which costs far more. This
    /// is for headers that the parser accepts only once.
    package func first(_ name: HTTPField.Name) -> String? {
        for field in self where field.name == name { return field.value }
        return nil
    }
}
