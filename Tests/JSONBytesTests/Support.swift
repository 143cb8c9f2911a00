import JSONBytes

/// Checks a whole document by skipping it.
func validate(_ document: [UInt8], maximumDepth: Int = 128) throws(JSONError) {
    let result = document.withUnsafeBytes { bytes in
        Result { () throws(JSONError) in
            var cursor = JSONCursor(bytes, maximumDepth: maximumDepth)
            try cursor.skipValue()
            try cursor.finish()
        }
    }
    try result.get()
}

/// Checks a whole document by visiting each value on its own.
func walk(_ document: [UInt8]) throws {
    try document.withUnsafeBytes { bytes in
        var cursor = JSONCursor(bytes)
        try walkValue(&cursor)
        try cursor.finish()
    }
}

private func walkValue(_ cursor: inout JSONCursor) throws {
    switch try cursor.kind() {
    case .object:
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            _ = cursor.decoded(key)
            try walkValue(&cursor)
        }
    case .array:
        try cursor.beginArray()
        while try cursor.nextElement() { try walkValue(&cursor) }
    case .string: _ = cursor.decoded(try cursor.string())
    case .number: _ = try cursor.integer()
    case .true, .false: _ = try cursor.bool()
    case .null: try cursor.skipValue()
    }
}

func refusal(_ document: [UInt8], maximumDepth: Int = 128) -> JSONError? {
    do throws(JSONError) {
        try validate(document, maximumDepth: maximumDepth)
        return nil
    } catch {
        return error
    }
}

func refusal(_ document: String, maximumDepth: Int = 128) -> JSONError? {
    refusal(Array(document.utf8), maximumDepth: maximumDepth)
}
