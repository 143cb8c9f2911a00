internal import JSONBytes

/// The members of a request's body on which a response depends. They are false for a body that is not JSON.
struct RequestWishes {
    private(set) var isStream = false
    private(set) var includesUsage = false

    init(_ body: [UInt8]) {
        body.withUnsafeBytes { bytes in
            do throws(JSONError) { try read(bytes) } catch {
                isStream = false
                includesUsage = false
            }
        }
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        guard !bytes.isEmpty else { return }
        var cursor = JSONCursor(bytes)
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "stream"), try cursor.kind() == .true {
                isStream = try cursor.bool()
            } else if cursor.equals(key, "stream_options"), try cursor.kind() == .object {
                try readOptions(&cursor)
            } else {
                try cursor.skipValue()
            }
        }
    }

    private mutating func readOptions(_ cursor: inout JSONCursor) throws(JSONError) {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "include_usage"), try cursor.kind() == .true {
                includesUsage = try cursor.bool()
            } else {
                try cursor.skipValue()
            }
        }
    }
}
