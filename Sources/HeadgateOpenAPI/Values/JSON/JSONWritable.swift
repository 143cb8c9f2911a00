/// A value that writes its own JSON without `Codable`, whose containers take most of the time for a small value. All
/// generated types conform to it.
public protocol JSONWritable: Encodable {
    /// Writes the value.
    ///
    /// - Throws: An error if the value cannot be expressed in JSON, such as an infinite number.
    func write(to json: inout JSONText) throws
}

/// Enumerations with string values.
extension JSONWritable where Self: RawRepresentable, RawValue == String {
    public func write(to json: inout JSONText) throws { json.append(rawValue) }
}

extension JSONWritable where Self: RawRepresentable, RawValue == Int {
    public func write(to json: inout JSONText) throws { json.append(rawValue) }
}

// All of these functions throw, so that generated code can call any of them in the same way.

extension String: JSONWritable {
    public func write(to json: inout JSONText) throws { json.append(self) }
}

extension Int: JSONWritable {
    public func write(to json: inout JSONText) throws { json.append(self) }
}

extension Int32: JSONWritable {
    public func write(to json: inout JSONText) throws { json.append(Int(self)) }
}

extension Int64: JSONWritable {
    public func write(to json: inout JSONText) throws { json.append(Int(self)) }
}

extension Float: JSONWritable {
    public func write(to json: inout JSONText) throws { try json.append(self) }
}

extension Double: JSONWritable {
    public func write(to json: inout JSONText) throws { try json.append(self) }
}

extension Bool: JSONWritable {
    public func write(to json: inout JSONText) throws { json.append(literal: self ? "true" : "false") }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    @inlinable
    public func write(to json: inout JSONText) throws {
        if let self { try self.write(to: &json) } else { json.appendNull() }
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    @inlinable
    public func write(to json: inout JSONText) throws { try json.list(self) }
}

extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
    public func write(to json: inout JSONText) throws {
        json.beginObject()
        for (name, value) in sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            json.beginMember(named: name)
            try value.write(to: &json)
            json.endValue()
        }
        json.endObject()
    }
}
