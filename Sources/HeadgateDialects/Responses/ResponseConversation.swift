package import JSONBytes

/// Adds the id of the conversation to a response of an upstream, which does not know it.
package struct ResponseConversation: Sendable {
    private let member: [UInt8]

    package init(id: String) { member = Self.member(id) }

    /// Returns the value of `conversation`.
    static func member(_ id: String) -> [UInt8] { Array(#"{"id":"#.utf8) + JSONEscaping.literal(id) + [0x7D] }

    /// Returns a document that is itself a response, with its conversation.
    package func named(_ response: [UInt8]) throws(JSONError) -> [UInt8] {
        try response.withUnsafeBufferPointer { (bytes) throws(JSONError) in
            let document = UnsafeRawBufferPointer(bytes)
            let found = try Self.members(of: document, at: 0..<document.count)
            return JSONSplice.applying([edit(found)], to: document)
        }
    }

    /// Returns an event with its conversation, and the complete response that ends with it, if any.
    ///
    /// - Returns: Nil if the event has no response.
    package func named(
        event document: UnsafeRawBufferPointer
    ) throws(JSONError) -> (event: [UInt8], complete: [UInt8]?)? {
        let event = try Self.members(of: document, at: 0..<document.count)
        guard let response = event.response, document[response.lowerBound] == UInt8(ascii: "{") else { return nil }
        let edited = JSONSplice.applying([edit(try Self.members(of: document, at: response))], to: document)
        let isComplete = ["response.completed", "response.incomplete"].contains(event.type)
        return (edited, isComplete ? Array(document[response]) : nil)
    }

    private struct Members {
        var type: String?
        var response: Range<Int>?
        var conversation: Range<Int>?
        /// Offset after the opening brace.
        var start = 0
        var isEmpty = true
    }

    private func edit(_ found: Members) -> JSONEdit {
        if let place = found.conversation { return JSONEdit(place, member) }
        let written = Array(#""conversation":"#.utf8) + member + (found.isEmpty ? [] : [UInt8(ascii: ",")])
        return JSONEdit(found.start..<found.start, written)
    }

    /// - Parameter place: Range of an object.
    private static func members(
        of document: UnsafeRawBufferPointer, at place: Range<Int>
    ) throws(JSONError) -> Members {
        let object = UnsafeRawBufferPointer(rebasing: document[place])
        var found = Members()
        found.start = place.lowerBound + (object.firstIndex(of: UInt8(ascii: "{")) ?? 0) + 1
        func moved(_ range: Range<Int>) -> Range<Int> {
            range.lowerBound + place.lowerBound..<range.upperBound + place.lowerBound
        }
        var cursor = JSONCursor(object)
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            found.isEmpty = false
            if cursor.equals(key, "type"), try cursor.kind() == .string {
                found.type = cursor.decoded(try cursor.string())
            } else if cursor.equals(key, "response") {
                found.response = moved(try cursor.skipValue())
            } else if cursor.equals(key, "conversation") {
                found.conversation = moved(try cursor.skipValue())
            } else {
                try cursor.skipValue()
            }
        }
        return found
    }
}
