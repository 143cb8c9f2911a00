import HeadgatePrimitives
import JSONBytes

/// Encoding of the vectors in a list of embeddings, as named in `encoding_format`.
///
/// Many servers ignore the member and send numbers. OpenAI's JavaScript library requests base64 and takes an array for
/// bytes, so the app gets a vector of a quarter of the length.
package enum EmbeddingEncoding: String, Sendable {
    /// An array of numbers.
    case float
    /// 32-bit floats, little-endian, in base64.
    case base64

    /// Returns the document with its vectors in this encoding. A value that is not a vector of finite numbers stays
    /// unchanged.
    ///
    /// - Parameters:
    ///   - document: A JSON object, such as a list of embeddings.
    ///   - limit: Maximum bytes of the document that is written.
    /// - Returns: Nil if the first vector has this encoding already, or if there is none. No other vector is checked
    ///   then.
    package func converted(_ document: [UInt8], limit: Int) throws(ResponseFault) -> [UInt8]? {
        do throws(JSONError) {
            let edits = try document.withUnsafeBufferPointer { (bytes) throws(JSONError) -> [JSONEdit] in
                try replacements(in: UnsafeRawBufferPointer(bytes), room: limit - bytes.count)
            }
            return edits.isEmpty ? nil : document.withUnsafeBytes { JSONSplice.applying(edits, to: $0) }
        } catch {
            throw error.kind == .tooManyMembers ? .oversize : .unexpected
        }
    }

    /// - Parameter room: Number of bytes by which the document can grow.
    private func replacements(in document: UnsafeRawBufferPointer, room: Int) throws(JSONError) -> [JSONEdit] {
        var cursor = JSONCursor(document)
        guard try EmbeddingEncoding.find("data", &cursor), case .array = try cursor.kind() else { return [] }
        var edits: [JSONEdit] = []
        var room = room
        try cursor.beginArray()
        while try cursor.nextElement() {
            guard case .object = try cursor.kind() else {
                try cursor.skipValue()
                continue
            }
            guard try EmbeddingEncoding.find("embedding", &cursor) else { continue }
            if edits.isEmpty, try isForm(of: cursor) { return [] }
            let bookmark = cursor
            let range = try cursor.skipValue()
            if let vector = try converted(at: bookmark) {
                room -= vector.count - range.count
                guard room >= 0 else { throw JSONError(.tooManyMembers, at: range.lowerBound) }
                edits.append(JSONEdit(range, vector))
            }
            while try cursor.nextKey() != nil { try cursor.skipValue() }
        }
        return edits
    }

    /// Moves to a member of an object.
    ///
    /// - Returns: False if there is none; the object has then been read to its end.
    private static func find(_ name: StaticString, _ cursor: inout JSONCursor) throws(JSONError) -> Bool {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, name) { return true }
            try cursor.skipValue()
        }
        return false
    }

    private func isForm(of cursor: JSONCursor) throws(JSONError) -> Bool {
        var cursor = cursor
        return switch (self, try cursor.kind()) {
        case (.float, .array), (.base64, .string): true
        default: false
        }
    }

    /// Returns the vector at a place in this encoding; nil if it is not a vector in the other encoding.
    private func converted(at place: JSONCursor) throws(JSONError) -> [UInt8]? {
        var cursor = place
        switch (self, try cursor.kind()) {
        case (.float, .string):
            let text = cursor.decoded(try cursor.string())
            return EmbeddingEncoding.numbers(in: text).map(EmbeddingEncoding.array)
        case (.base64, .array): return try EmbeddingEncoding.literal(at: &cursor)
        default: return nil
        }
    }

    /// Returns the numbers in a base64 string; nil unless all of them are finite 32-bit floats.
    static func numbers(in base64: String) -> [Float]? {
        guard let bytes = Base64.decodeLeniently(base64), bytes.count.isMultiple(of: 4) else { return nil }
        var numbers: [Float] = []
        numbers.reserveCapacity(bytes.count / 4)
        for start in stride(from: 0, to: bytes.count, by: 4) {
            var bits: UInt32 = 0
            for place in 0..<4 { bits |= UInt32(bytes[start + place]) << (8 * UInt32(place)) }
            let number = Float(bitPattern: bits)
            guard number.isFinite else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    private static func array(of numbers: [Float]) -> [UInt8] {
        var output = [UInt8(ascii: "[")]
        output.reserveCapacity(numbers.count * 13 + 2)
        for (place, number) in numbers.enumerated() {
            if place > 0 { output.append(UInt8(ascii: ",")) }
            output.append(contentsOf: number.description.utf8)
        }
        output.append(UInt8(ascii: "]"))
        return output
    }

    /// Returns an array as a base64 string literal; nil unless it contains only finite numbers.
    private static func literal(at cursor: inout JSONCursor) throws(JSONError) -> [UInt8]? {
        var bytes: [UInt8] = []
        try cursor.beginArray()
        while try cursor.nextElement() {
            guard case .number = try cursor.kind() else { return nil }
            let range = try cursor.skipValue()
            let text = String(decoding: cursor.bytes(in: range), as: UTF8.self)
            guard let number = Float(text), number.isFinite else { return nil }
            let bits = number.bitPattern
            for place in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * UInt32(place)))) }
        }
        var output = [UInt8(ascii: "\"")]
        output.reserveCapacity(bytes.count / 3 * 4 + 6)
        Base64.append(bytes, to: &output)
        output.append(UInt8(ascii: "\""))
        return output
    }
}
