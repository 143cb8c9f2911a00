package import HTTPTypes

/// Headers as they were received: one copy of the head's bytes, and the place of each name and value in it.
///
/// Most headers of a request are never read. HTTPTypes' fields, which take a string and a lookup each, are only created
/// on demand.
package struct HeadFields: Sendable {
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let token: FieldToken
        @usableFromInline let nameStart: UInt32
        @usableFromInline let nameEnd: UInt32
        @usableFromInline let valueStart: UInt32
        @usableFromInline let valueEnd: UInt32

        init(_ token: FieldToken, name: Range<Int>, value: Range<Int>) {
            self.token = token
            nameStart = UInt32(truncatingIfNeeded: name.lowerBound)
            nameEnd = UInt32(truncatingIfNeeded: name.upperBound)
            valueStart = UInt32(truncatingIfNeeded: value.lowerBound)
            valueEnd = UInt32(truncatingIfNeeded: value.upperBound)
        }

        var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
        @usableFromInline var value: Range<Int> { Range(uncheckedBounds: (Int(valueStart), Int(valueEnd))) }
    }

    /// Bytes of the whole head, including the start line; shared.
    @usableFromInline let bytes: [UInt8]
    @usableFromInline let entries: [Entry]

    init(bytes: [UInt8], entries: [Entry]) {
        self.bytes = bytes
        self.entries = entries
    }

    /// Calls `body` with the bytes of the first header with that name, if there is one.
    @inlinable
    package func withValue<Result>(
        of token: FieldToken, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result? {
        for index in entries.indices where entries[index].token.rawValue == token.rawValue {
            let range = entries[index].value
            return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
        return nil
    }

    package func contains(_ name: HTTPField.Name) -> Bool { withValue(named: name) { _ in } != nil }

    /// Returns the value of the first header with that name.
    package func value(of token: FieldToken) -> String? {
        withValue(of: token) { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls `body` with the bytes of the first header with that name, if there is one.
    package func withValue<Result>(named name: HTTPField.Name, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        bytes.withUnsafeBytes { bytes in
            for entry in entries where HeadFields.names(bytes.slice(entry.name), name) {
                return body(bytes.slice(entry.value))
            }
            return nil
        }
    }

    /// Returns whether any header has one of the names.
    package func contains(anyOf names: FieldNames) -> Bool {
        entries.withUnsafeBufferPointer { entries in
            for entry in entries where names.mayContain(entry) && names.all.contains(where: contains) { return true }
            return false
        }
    }

    /// Returns the value of the first header with that name.
    package func value(named name: HTTPField.Name) -> String? {
        withValue(named: name) { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns every header with that name, in their order.
    package func all(named name: HTTPField.Name) -> [HTTPField] {
        bytes.withUnsafeBytes { bytes in
            entries.compactMap { entry in
                guard HeadFields.names(bytes.slice(entry.name), name) else { return nil }
                return HTTPField(name: name, value: String(decoding: bytes.slice(entry.value), as: UTF8.self))
            }
        }
    }

    /// Returns every header that passes the filter, which gets the bytes of the name.
    package func all(where isWanted: (UnsafeRawBufferPointer) -> Bool) -> HTTPFields {
        var fields = HTTPFields.none
        bytes.withUnsafeBytes { bytes in
            for entry in entries where isWanted(bytes.slice(entry.name)) {
                // Created only if there is a header, since most requests have none of the wanted ones.
                if fields.isEmpty { fields = HTTPFields() }
                guard let name = HTTPField.Name(String(decoding: bytes.slice(entry.name), as: UTF8.self)) else {
                    continue
                }
                fields.append(HTTPField(name: name, value: String(decoding: bytes.slice(entry.value), as: UTF8.self)))
            }
        }
        return fields
    }

    /// All headers as HTTPTypes.
    package var httpFields: HTTPFields { all { _ in true } }

    private static func names(_ bytes: UnsafeRawBufferPointer, _ name: HTTPField.Name) -> Bool {
        let canonical = name.canonicalName.utf8
        guard bytes.count == canonical.count else { return false }
        for (byte, letter) in zip(bytes, canonical) where ByteClass.lowercased(byte) != letter { return false }
        return true
    }
}

/// Names to search for together. Their lengths rule out nearly every header with another name.
package struct FieldNames: Sendable {
    package let all: [HTTPField.Name]
    /// A bit for each length; lengths above 63 share bits with others.
    private let lengths: UInt64
    /// Whether the gateway itself reads a header with one of the names.
    private let includesRead: Bool

    package init(_ names: [HTTPField.Name]) {
        all = names
        lengths = names.reduce(0) { $0 | FieldNames.bit(UInt32($1.canonicalName.utf8.count)) }
        includesRead = names.contains { name in
            var name = name.canonicalName
            return name.withUTF8 { FieldToken(UnsafeRawBufferPointer($0)) } != .other
        }
    }

    @inline(__always)
    fileprivate func mayContain(_ entry: HeadFields.Entry) -> Bool {
        (entry.token == .other || includesRead) && lengths & FieldNames.bit(entry.nameEnd &- entry.nameStart) != 0
    }

    @inline(__always)
    private static func bit(_ length: UInt32) -> UInt64 { 1 << UInt64(length & 63) }
}

extension HeadFields {
    /// Creates headers from HTTPTypes.
    ///
    /// - Parameter start: the bytes before the headers.
    init(start: [UInt8], _ fields: HTTPFields) {
        var bytes = start
        var entries: [Entry] = []
        for field in fields {
            let nameStart = bytes.count
            bytes.append(contentsOf: field.name.canonicalName.utf8)
            let valueStart = bytes.count
            bytes.append(contentsOf: field.value.utf8)
            let token = bytes.withUnsafeBytes { FieldToken($0.slice(nameStart..<valueStart)) }
            entries.append(Entry(token, name: nameStart..<valueStart, value: valueStart..<bytes.count))
        }
        self.init(bytes: bytes, entries: entries)
    }

    package init(_ fields: HTTPFields) { self.init(start: [], fields) }
}

extension HTTPField.Name {
    /// - Parameter name: a valid token.
    package static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("not a field name") }
        return name
    }

    package static let host = known("Host")
    package static let xAPIKey = known("x-api-key")
    package static let requestID = known("request-id")
    package static let xRequestID = known("x-request-id")
    package static let xShouldRetry = known("x-should-retry")
    package static let retryAfterMilliseconds = known("retry-after-ms")
    package static let secFetchSite = known("Sec-Fetch-Site")
    package static let xAccelBuffering = known("X-Accel-Buffering")
}
