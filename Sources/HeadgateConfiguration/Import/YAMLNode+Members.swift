internal import HeadgatePrimitives

/// Lenient access to files in other formats: a missing member, or one of another kind, is nil.
extension YAMLNode {
    /// Text of a scalar; nil if it is empty.
    var text: String? {
        guard case .scalar(let text, _) = content, !isNull else { return nil }
        return text
    }

    var entries: [YAMLEntry] {
        guard case .mapping(let entries) = content else { return [] }
        return entries
    }

    var items: [YAMLNode] {
        guard case .sequence(let items) = content else { return [] }
        return items
    }

    var isScalar: Bool {
        guard case .scalar = content else { return false }
        return true
    }

    subscript(key: String) -> YAMLNode? { entries.first { $0.key.isExactly(key) && !$0.value.isNull }?.value }

    var number: Double? { text.flatMap(Double.init).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } }

    var count: Int? { number.flatMap { Int(exactly: $0) } }
}
