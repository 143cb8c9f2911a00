internal import HeadgateDialects
package import JSONBytes

/// Effects of a request other than its response. A request with side effects must not be sent twice.
package struct SideEffects {
    /// Value of `store`, which states whether the upstream is to store the response; nil if there is none.
    package private(set) var store: Bool?
    /// Whether the upstream acts itself: it runs a tool, works in the background, or continues a conversation that it
    /// stores.
    package private(set) var acts = false

    /// Returns, for each target, whether a request has no side effects there.
    package static func areNone(
        of envelope: RequestEnvelope, _ operation: RelayOperation, at targets: [ModelTarget]
    ) -> [Bool] {
        let asItIs = try? SideEffects(envelope.bytes)
        return targets.map { target in
            let isChanged = target.parameters != nil
            let effects =
                isChanged
                ? try? SideEffects(envelope.prepared(for: target, of: operation).bytes) : asItIs
            return effects.map { !$0.acts && !$0.isStored(operation, at: target) } ?? false
        }
    }

    /// Returns whether the target stores the response. A translation for an upstream without stored responses omits
    /// `store`.
    private func isStored(_ operation: RelayOperation, at target: ModelTarget) -> Bool {
        if operation.shape.isStored, !target.upstream.speaks.contains(.responses) { return false }
        // Requests that count tokens or compact continue stored responses, and store nothing.
        return store ?? (operation.shape.isStored && operation.format != nil)
    }

    /// Reads a request.
    ///
    /// - Parameter document: the body of the request.
    package init(_ document: [UInt8]) throws(JSONError) {
        try document.withUnsafeBufferPointer { (buffer) throws(JSONError) in
            var cursor = JSONCursor(UnsafeRawBufferPointer(buffer))
            try cursor.beginObject()
            while let key = try cursor.nextKey() { try read(key, &cursor) }
        }
    }

    private mutating func read(_ key: JSONString, _ cursor: inout JSONCursor) throws(JSONError) {
        if cursor.equals(key, "store") {
            if case .true = try cursor.kind() { store = true }
            if case .false = try cursor.kind() { store = false }
        } else if cursor.equals(key, "tools"), case .array = try cursor.kind() {
            try cursor.beginArray()
            while try cursor.nextElement() { try readTool(&cursor) }
            return
        } else if SideEffects.acting.contains(where: { cursor.equals(key, $0) }) {
            switch try cursor.kind() {
            case .null, .false: break
            default: acts = true
            }
        }
        try cursor.skipValue()
    }

    private static let acting: [StaticString] = [
        "previous_response_id", "conversation", "background", "mcp_servers", "container", "thread", "compaction",
        "fallback_credit_token",
    ]

    /// Reads a tool. The client runs functions and custom tools; the upstream can run any other tool.
    private mutating func readTool(_ cursor: inout JSONCursor) throws(JSONError) {
        guard case .object = try cursor.kind() else {
            try cursor.skipValue()
            return
        }
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            guard cursor.equals(key, "type"), case .string = try cursor.kind() else {
                try cursor.skipValue()
                continue
            }
            let type = try cursor.string()
            if !cursor.equals(type, "function"), !cursor.equals(type, "custom") { acts = true }
        }
    }
}
