internal import JSONBytes

/// The identity of a request: its method, its route, and the content of its document.
///
/// White space, the order of members and equivalent escapes make no difference. Numbers, and texts with half of a
/// surrogate pair, are compared as they are written. A body other than a JSON object is compared byte for byte. A
/// multipart form is compared without its boundary, which is random.
package struct RequestIdentity: Sendable, Equatable {
    private let method: String
    private let route: String
    /// The normalized members by name; empty if the body is not an object.
    private let members: [String: [UInt8]]
    /// The body, if it is not an object.
    private let rest: [UInt8]?

    /// Creates the identity of a request.
    ///
    /// - Parameters:
    ///   - route: The path after the base URL.
    ///   - contentType: The content type of the body.
    ///   - ignored: The names of members of the document that make no difference.
    package init(
        method: String, route: String, body: [UInt8]?, contentType: String? = nil, ignoring ignored: Set<String> = []
    ) {
        self.method = method
        self.route = route
        if let body, let boundary = RequestIdentity.boundary(in: contentType ?? "") {
            members = [:]
            rest = RequestIdentity.form(body, boundary)
            return
        }
        let members = body?.withUnsafeBytes(RequestIdentity.members)
        self.members = members?.filter { !ignored.contains($0.key) } ?? [:]
        rest = members == nil ? body : nil
    }

    /// The bytes from which a digest is computed.
    package var bytes: [UInt8] {
        var output = Array("\(method) \(route)\n".utf8)
        for (name, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            JSONEscaping.append(name, to: &output)
            output.append(UInt8(ascii: ":"))
            output += value
            output.append(0x0A)
        }
        return output + (rest ?? [])
    }

    /// The method and the route.
    package var target: String { "\(method) \(route)" }

    /// Returns the sorted names of the members that are not the same in both.
    package func differences(from other: RequestIdentity) -> [String] {
        Set(members.keys).union(other.members.keys).filter { members[$0] != other.members[$0] }.sorted()
    }

    /// Returns the value of `model`, if it is a text.
    package static func model(of body: [UInt8]) -> String? {
        body.withUnsafeBytes { bytes in
            guard let literal = members(of: bytes)?["model"] else { return nil }
            return literal.withUnsafeBytes { literal in
                var cursor = JSONCursor(literal)
                return (try? cursor.string()).map { cursor.decoded($0) }
            }
        }
    }

    // MARK: Forms

    /// Returns the boundary of a multipart form; nil for other content types.
    private static func boundary(in contentType: String) -> [UInt8]? {
        let parts = contentType.split(separator: ";")
        guard parts.first?.lowercased() == "multipart/form-data" else { return nil }
        for part in parts.dropFirst() {
            let parameter = part.drop { $0 == " " }
            guard parameter.lowercased().hasPrefix("boundary=") else { continue }
            let value = parameter.dropFirst("boundary=".count).filter { $0 != "\"" }
            return value.isEmpty ? nil : Array(value.utf8)
        }
        return nil
    }

    /// Returns the form with another boundary: an empty one, which no line of a form can have.
    private static func form(_ body: [UInt8], _ boundary: [UInt8]) -> [UInt8] {
        let delimiter = [UInt8(ascii: "-"), UInt8(ascii: "-")] + boundary
        var output: [UInt8] = []
        output.reserveCapacity(body.count)
        var start = 0
        while start < body.count {
            let end = body[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? body.count
            let line = body[start..<end]
            output += line.starts(with: delimiter) ? [UInt8(ascii: "-")] + line.dropFirst(delimiter.count) : line
            start = end
        }
        return output
    }

    // MARK: A normalized document

    /// Returns the members of a JSON object; nil for other documents.
    ///
    /// The last of several members with the same name applies, as for most readers.
    private static func members(of document: UnsafeRawBufferPointer) -> [String: [UInt8]]? {
        var cursor = JSONCursor(document)
        do throws(JSONError) {
            guard try cursor.kind() == .object else { return nil }
            try cursor.beginObject()
            let members = try members(&cursor)
            try cursor.finish()
            return members
        } catch {
            return nil
        }
    }

    /// Returns the members of an object whose beginning has been read.
    private static func members(_ cursor: inout JSONCursor) throws(JSONError) -> [String: [UInt8]] {
        var members: [String: [UInt8]] = [:]
        while let key = try cursor.nextKey() {
            let name = name(key, cursor)
            var value: [UInt8] = []
            try append(&cursor, to: &value)
            members[name] = value
        }
        return members
    }

    private static func name(_ key: JSONString, _ cursor: JSONCursor) -> String {
        guard cursor.hasLoneSurrogate(key) else { return cursor.decoded(key) }
        return "\u{FFFD}" + String(decoding: cursor.bytes(in: key.contents), as: UTF8.self)
    }

    /// Appends the next value. The cursor limits the depth.
    private static func append(_ cursor: inout JSONCursor, to output: inout [UInt8]) throws(JSONError) {
        switch try cursor.kind() {
        case .object:
            try cursor.beginObject()
            let members = try members(&cursor)
            output.append(UInt8(ascii: "{"))
            for (name, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                JSONEscaping.append(name, to: &output)
                output.append(UInt8(ascii: ":"))
                output += value + [UInt8(ascii: ",")]
            }
            output.append(UInt8(ascii: "}"))
        case .array:
            try cursor.beginArray()
            output.append(UInt8(ascii: "["))
            while try cursor.nextElement() {
                try append(&cursor, to: &output)
                output.append(UInt8(ascii: ","))
            }
            output.append(UInt8(ascii: "]"))
        case .string:
            let string = try cursor.string()
            // Half of a surrogate pair has no text, so it is compared as it is written.
            if cursor.hasLoneSurrogate(string) {
                output += [UInt8(ascii: "\"")] + cursor.bytes(in: string.contents) + [UInt8(ascii: "\"")]
            } else {
                JSONEscaping.append(cursor.decoded(string), to: &output)
            }
        case .number, .true, .false, .null: output.append(contentsOf: cursor.bytes(in: try cursor.skipValue()))
        }
    }
}
