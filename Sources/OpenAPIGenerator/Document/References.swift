/// Resolves references in the document.
final class References {
    private let root: DocumentNode
    private var found: [String: DocumentNode] = [:]

    init(_ root: DocumentNode) { self.root = root }

    /// Returns the target of a reference.
    ///
    /// - Parameter reference: Reference such as `#/components/schemas/Pet`. The result is nil if it has no target, or
    ///   is in another file.
    func target(of reference: String) -> DocumentNode? {
        if let node = found[reference] { return node }
        guard let path = References.path(reference) else { return nil }
        var node = root
        for key in path {
            switch node.value {
            case .mapping(let members):
                guard let member = members.first(where: { $0.key == key }) else { return nil }
                node = member.value
            case .sequence(let items):
                guard let index = Int(key), items.indices.contains(index) else { return nil }
                node = items[index]
            default: return nil
            }
        }
        found[reference] = node
        return node
    }

    /// Returns the steps of a reference; nil for a reference into another file.
    static func path(_ reference: String) -> [String]? {
        guard reference.hasPrefix("#/") else { return reference == "#" ? [] : nil }
        return reference.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false).map { step in
            decoded(step).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }

    /// Returns the name of a component in a section; nil if the reference is to anything else.
    static func component(_ reference: String, _ section: String) -> String? {
        guard let path = path(reference), path.count == 3, path[0] == "components", path[1] == section else {
            return nil
        }
        return path[2]
    }

    /// Returns the text without percent-encoding. An invalid escape is unchanged.
    private static func decoded(_ text: Substring) -> String {
        guard text.utf8.contains(0x25) else { return String(text) }
        var octets: [UInt8] = []
        var rest = text.utf8[...]
        while let octet = rest.popFirst() {
            let digits = rest.prefix(2)
            if octet == 0x25, digits.count == 2, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                octets.append(value)
                rest = rest.dropFirst(2)
            } else {
                octets.append(octet)
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }
}
