internal import JSONBytes

/// Numbers for the tool calls of a stream whose upstream leaves out their `index`, as Gemini does. Clients use the
/// index to match fragments with their calls.
struct ChatCallNumbers {
    /// Whether the upstream numbers its calls itself. The first chunk with calls decides.
    private(set) var areWritten = false
    private var isDecided = false
    /// Calls so far, each with its choice and the hash of its id.
    private var calls: [(choice: Int, id: Int?)] = []

    /// Maximum number of calls; once they are reached, fragments are relayed unchanged.
    private static let most = 128

    /// Returns the chunk with a number for each call that lacks one; nil if none does.
    mutating func numbered(_ document: UnsafeRawBufferPointer) throws(JSONError) -> [UInt8]? {
        var edits: [JSONEdit] = []
        var hasCalls = false
        var cursor = JSONCursor(document)
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            guard cursor.equals(key, "choices"), case .array = try cursor.kind() else {
                try cursor.skipValue()
                continue
            }
            try cursor.beginArray()
            while try cursor.nextElement() {
                if try readChoice(&cursor, &edits) { hasCalls = true }
            }
        }
        if !isDecided, hasCalls {
            isDecided = true
            areWritten = edits.isEmpty
        }
        return edits.isEmpty ? nil : JSONSplice.applying(edits, to: document)
    }

    /// Returns whether the choice has calls.
    private mutating func readChoice(_ cursor: inout JSONCursor, _ edits: inout [JSONEdit]) throws(JSONError) -> Bool {
        var choice = 0
        var fragments: [Fragment] = []
        guard case .object = try cursor.kind() else {
            try cursor.skipValue()
            return false
        }
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "index") {
                choice = try cursor.integer() ?? 0
            } else if cursor.equals(key, "delta"), case .object = try cursor.kind() {
                try cursor.beginObject()
                while let key = try cursor.nextKey() {
                    guard cursor.equals(key, "tool_calls"), case .array = try cursor.kind() else {
                        try cursor.skipValue()
                        continue
                    }
                    try cursor.beginArray()
                    while try cursor.nextElement() { try Fragment(&cursor).map { fragments.append($0) } }
                }
            } else {
                try cursor.skipValue()
            }
        }
        for fragment in fragments where !fragment.isNumbered && calls.count < ChatCallNumbers.most {
            let number = number(of: fragment, in: choice)
            edits.append(
                fragment.null.map { JSONEdit($0, Array("\(number)".utf8)) }
                    ?? JSONEdit(fragment.start..<fragment.start, Array("\"index\":\(number),".utf8)))
        }
        return !fragments.isEmpty
    }

    /// Returns the number of the call with the fragment's id, of a new call, or of the last call if the fragment has
    /// neither an id nor a name.
    private mutating func number(of fragment: Fragment, in choice: Int) -> Int {
        let known = calls.filter { $0.choice == choice }
        if fragment.id == nil, !fragment.isNamed { return max(0, known.count - 1) }
        if let id = fragment.id, let number = known.firstIndex(where: { $0.id == id }) { return number }
        calls.append((choice, fragment.id))
        return known.count
    }

    /// Part of a call in one chunk.
    private struct Fragment {
        /// Offset of the fragment's first member.
        let start: Int
        /// Range of an `index` that is null.
        var null: Range<Int>?
        /// Hash of the call's id; nil if there is none.
        var id: Int?
        var isNamed = false
        var isNumbered = false

        /// Reads an element of `tool_calls`; nil unless it is an object with members.
        init?(_ cursor: inout JSONCursor) throws(JSONError) {
            guard case .object = try cursor.kind() else {
                try cursor.skipValue()
                return nil
            }
            try cursor.beginObject()
            start = cursor.offset
            var isEmpty = true
            while let key = try cursor.nextKey() {
                isEmpty = false
                if cursor.equals(key, "index") {
                    isNumbered = try cursor.kind() != .null
                    let value = try cursor.skipValue()
                    null = isNumbered ? nil : value
                } else if cursor.equals(key, "id"), case .string = try cursor.kind() {
                    let text = try cursor.string()
                    id = text.contents.isEmpty ? nil : cursor.decoded(text).hashValue
                } else if cursor.equals(key, "function") || cursor.equals(key, "custom"),
                    case .object = try cursor.kind()
                {
                    isNamed = try Fragment.hasName(&cursor)
                } else {
                    try cursor.skipValue()
                }
            }
            if isEmpty { return nil }
        }

        private static func hasName(_ cursor: inout JSONCursor) throws(JSONError) -> Bool {
            var hasName = false
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                if cursor.equals(key, "name"), case .string = try cursor.kind() {
                    hasName = try !cursor.string().contents.isEmpty
                } else {
                    try cursor.skipValue()
                }
            }
            return hasName
        }
    }
}
