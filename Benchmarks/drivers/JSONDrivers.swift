internal import JSONBytes

/// Drivers of the strict scan of whole documents, and of the edit that replaces the model of a request.
enum JSONDrivers {
    static let all = [
        scanner("scanner-request", "request of 5 KB", Samples.longRequestBody),
        scanner("scanner-chunk", "chunk of a stream", Samples.chunkDocument),
        Driver(
            name: "splice", unit: "request of 5 KB", result: Samples.longRequestBody.count + replacement.count - 6
        ) { iterations in
            let document = Samples.longRequestBody
            return try repeating(iterations) {
                try document.withUnsafeBytes { bytes in
                    let edit = JSONEdit(try modelLiteral(in: bytes), replacement)
                    return JSONSplice.applying([edit], to: bytes).count
                }
            }
        },
    ]

    private static let replacement = JSONEscaping.literal("the-name-upstream")

    private static func scanner(_ name: String, _ unit: String, _ document: [UInt8]) -> Driver {
        Driver(name: name, unit: unit, result: document.count) { iterations in
            try repeating(iterations) {
                try document.withUnsafeBytes { bytes in
                    var cursor = JSONCursor(bytes)
                    try cursor.beginObject()
                    while try cursor.nextKey() != nil { try cursor.skipValue() }
                    try cursor.finish()
                    return cursor.offset
                }
            }
        }
    }

    private static func modelLiteral(in bytes: UnsafeRawBufferPointer) throws -> Range<Int> {
        var cursor = JSONCursor(bytes)
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "model") { return try cursor.string().literal }
            try cursor.skipValue()
        }
        throw DriverError("the request names no model")
    }
}
