package import HeadgateConfiguration
package import JSONBytes

/// Sets and removes top-level members of request bodies by an upstream's rules. All other bytes stay unchanged.
///
/// Created once per set of rules, such as those of an upstream or a model.
package struct ParameterRewriting: Sendable {
    package enum Action {
        case keep
        case replace([UInt8])
        case remove
    }

    /// Unescaped member name and the action for a member of that name.
    package struct Rule: Sendable {
        package let name: [UInt8]
        package let action: Action
        /// Encoded member to append if the client's body lacks it; empty if nothing is appended.
        package let addition: [UInt8]
    }

    package let rules: [Rule]
    private let names: MemberNames

    /// Creates a rewriting; nil if the rules change nothing.
    package init?(_ rules: ParameterRules) {
        guard !rules.isEmpty else { return nil }
        self.rules =
            rules.defaults.map { Rule(name: Array($0.name.utf8), action: .keep, addition: Self.member($0)) }
            + rules.overrides.map {
                Rule(name: Array($0.name.utf8), action: .replace($0.json), addition: Self.member($0))
            }
            + rules.strip.map { Rule(name: Array($0.utf8), action: .remove, addition: []) }
        names = MemberNames(self.rules.map { String(decoding: $0.name, as: UTF8.self) })
    }

    private static func member(_ parameter: ParameterRules.Parameter) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONEscaping.append(parameter.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        return bytes + parameter.json
    }

    /// Applies the rules to a body. New members are appended, defaults before overrides.
    ///
    /// - Throws: ``JSONError`` if the body is not a JSON object, or if a member named in the rules is repeated or
    ///   differs from its rule only in case. The upstream might read the other member.
    package func rewritten(_ body: [UInt8]) throws(JSONError) -> [UInt8] {
        try body.withUnsafeBufferPointer { (buffer) throws(JSONError) in
            let document = UnsafeRawBufferPointer(buffer)
            let edits = try edits(for: document)
            return edits.isEmpty ? body : JSONSplice.applying(edits, to: document)
        }
    }

    /// Returns the edits to a document whose top level is an object, in order and without overlap.
    func edits(for document: UnsafeRawBufferPointer) throws(JSONError) -> [JSONEdit] {
        var cursor = JSONCursor(document)
        try cursor.beginObject()
        let opening = cursor.offset
        var edits: [JSONEdit] = []
        var isPresent = [Bool](repeating: false, count: rules.count)
        /// End of the last retained member.
        var end: Int?
        /// Range of the members removed since the last retained member.
        var removal: Range<Int>?
        while let key = try cursor.nextKey() {
            let rule = rule(for: key, in: cursor)
            if let rule {
                guard !isPresent[rule] else { throw cursor.duplicateKey(key) }
                isPresent[rule] = true
            } else {
                try names.refuseLookalike(key, in: cursor)
            }
            let start = key.literal.lowerBound
            let value = try cursor.skipValue()
            switch rule.map({ rules[$0].action }) ?? .keep {
            case .remove:
                removal = (removal?.lowerBound ?? start)..<value.upperBound
                continue
            case .replace(let json):
                if let first = removal?.lowerBound { edits.append(JSONEdit(first..<start, [])) }
                edits.append(JSONEdit(value, json))
            case .keep:
                if let first = removal?.lowerBound { edits.append(JSONEdit(first..<start, [])) }
            }
            removal = nil
            end = value.upperBound
        }
        try cursor.finish()
        let additions = additions(isPresent, afterMember: end != nil)
        let first = end ?? removal?.lowerBound ?? opening
        let rest = first..<(removal?.upperBound ?? first)
        if !(rest.isEmpty && additions.isEmpty) { edits.append(JSONEdit(rest, additions)) }
        return edits
    }

    private func additions(_ isPresent: [Bool], afterMember: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        for (rule, isPresent) in zip(rules, isPresent) where !isPresent && !rule.addition.isEmpty {
            if afterMember || !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
            bytes += rule.addition
        }
        return bytes
    }

    /// Returns the index of the rule for a member, regardless of escapes in the member's name.
    package func rule(for key: JSONString, in cursor: JSONCursor) -> Int? {
        guard key.hasEscapes else {
            let name = cursor.bytes(in: key.contents)
            return rules.firstIndex { $0.name.count == name.count && $0.name.elementsEqual(name) }
        }
        var name: [UInt8] = []
        cursor.appendDecoded(key, to: &name)
        return rules.firstIndex { $0.name == name }
    }
}
