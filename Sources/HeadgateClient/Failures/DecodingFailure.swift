internal import JSONBytes

/// A document that violates the protocol.
public struct DecodingFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Offset in bytes from the start of the document to the invalid value or character; nil if the document is no
    /// longer available. The document is the data of an event, or a body.
    public var offset: Int?
    /// Path of the invalid value, such as `choices[0].delta`; empty at the top level, and if the bytes are not JSON.
    public var path: String
    /// Description of the violation.
    public var reason: String
    /// Up to 64 bytes of the document around the offset. Can contain a part of a conversation, so keep it out of logs.
    public var excerpt: String

    /// The offset, the path and the reason, without text of the document.
    public var description: String {
        let place = offset.map { " at byte \($0)" } ?? ""
        return "The answer cannot be read\(place)\(path.isEmpty ? "" : " (\(path))"): \(reason)."
    }
}

extension DecodingFailure {
    private static let excerptBytes = 64

    /// Creates a failure for a document that is no longer available.
    init(path: String = "", reason: String) {
        offset = nil
        self.path = path
        self.reason = reason
        excerpt = ""
    }

    init(offset: Int, path: String = "", reason: String, in bytes: [UInt8]) {
        self.offset = offset
        self.path = path
        self.reason = reason
        let start = max(0, min(offset, bytes.count) - DecodingFailure.excerptBytes / 2)
        excerpt = String(decoding: bytes[start...].prefix(DecodingFailure.excerptBytes), as: UTF8.self)
    }

    init(_ error: JSONError, in bytes: [UInt8]) {
        let reason =
            switch error.kind {
            case .endOfInput: "the JSON ends too early"
            case .tooDeep: "the JSON is nested too deeply"
            case .invalidUTF8: "a string is not UTF-8"
            default: "this is not JSON"
            }
        self.init(offset: error.offset, reason: reason, in: bytes)
    }

    init(_ error: DecodingError, in bytes: [UInt8]) {
        // If the document is not JSON, the scanner has the exact offset.
        if let fault = DecodingFailure.fault(in: bytes) {
            self.init(fault, in: bytes)
            return
        }
        let (keys, reason) = DecodingFailure.parts(of: error)
        self.init(
            offset: DecodingFailure.offset(of: keys[...], in: bytes), path: DecodingFailure.path(keys), reason: reason,
            in: bytes)
    }

    /// - Parameter error: An error of another decoder.
    init(_ error: DecodingError) {
        let (keys, reason) = DecodingFailure.parts(of: error)
        self.init(path: DecodingFailure.path(keys), reason: reason)
    }

    private static func parts(of error: DecodingError) -> ([any CodingKey], String) {
        switch error {
        case .typeMismatch(let type, let context): (context.codingPath, "another type, where \(type) is expected")
        case .valueNotFound(let type, let context): (context.codingPath, "null, where \(type) is expected")
        case .keyNotFound(let key, let context): (context.codingPath, "there is no '\(key.stringValue)'")
        case .dataCorrupted(let context): (context.codingPath, context.debugDescription)
        @unknown default: ([], "unknown fault")
        }
    }

    static func fault(in bytes: [UInt8]) -> JSONError? {
        bytes.withUnsafeBytes { bytes in
            do throws(JSONError) {
                var cursor = JSONCursor(bytes)
                try cursor.skipValue()
                try cursor.finish()
                return nil
            } catch {
                return error
            }
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }

    /// Returns the offset of the value at the end of a path, or of the last existing value on the path.
    private static func offset(of keys: ArraySlice<any CodingKey>, in bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes)
            for key in keys {
                let bookmark = cursor
                guard (try? DecodingFailure.step(to: key, &cursor)) == true else {
                    cursor = bookmark
                    break
                }
            }
            _ = try? cursor.kind()
            return cursor.offset
        }
    }

    private static func step(to key: any CodingKey, _ cursor: inout JSONCursor) throws(JSONError) -> Bool {
        guard let index = key.intValue else {
            try cursor.beginObject()
            while let name = try cursor.nextKey() {
                if cursor.decoded(name) == key.stringValue { return true }
                try cursor.skipValue()
            }
            return false
        }
        try cursor.beginArray()
        for position in 0...max(0, index) {
            guard try cursor.nextElement() else { return false }
            if position < index { try cursor.skipValue() }
        }
        return true
    }
}
