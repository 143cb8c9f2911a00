package import HTTPTypes

extension HTTPFields {
    /// No fields. Making them would be an allocation.
    package static let none = HTTPFields()

    /// The value of the first field of that name. The subscript joins all of them, which costs far more; this is for
    /// fields that the parser lets through only once.
    package func first(_ name: HTTPField.Name) -> String? {
        for field in self where field.name == name { return field.value }
        return nil
    }
}
