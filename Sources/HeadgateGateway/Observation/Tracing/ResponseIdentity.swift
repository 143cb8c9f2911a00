internal import HeadgateRelay
internal import JSONBytes

/// Id and model at the start of an upstream's response, in its document or in the first events that name them.
struct ResponseIdentity {
    private(set) var id: String?
    private(set) var model: String?
    private var beginning: [UInt8] = []
    private var isRead = false

    /// Maximum bytes at the start of the response that are searched.
    private static let longest = 8 * 1024

    /// Reads a chunk, unless the id and the model are known or the maximum was reached.
    mutating func read(_ chunk: UnsafeRawBufferPointer) {
        guard !isRead else { return }
        beginning.append(contentsOf: chunk.prefix(ResponseIdentity.longest - beginning.count))
        find()
        guard id != nil && model != nil || beginning.count >= ResponseIdentity.longest else { return }
        isRead = true
        beginning = []
    }

    private mutating func find() {
        var found = (id: id, model: model)
        beginning.withUnsafeBytes { bytes in
            var start = bytes.startIndex
            // Reads the document of each event, or the single document that is the whole response.
            while found.id == nil || found.model == nil, let brace = bytes[start...].firstIndex(of: UInt8(ascii: "{")) {
                let end = bytes[brace...].firstIndex(of: 0x0A) ?? bytes.endIndex
                let isLine = brace > 0 && end < bytes.endIndex
                let document = UnsafeRawBufferPointer(rebasing: bytes[brace..<(isLine ? end : bytes.endIndex)])
                var cursor = JSONCursor(document)
                do throws(JSONError) { try ResponseIdentity.read(&cursor, &found) } catch {}
                guard isLine else { return }
                start = end
            }
        }
        (id, model) = found
    }

    private static func read(
        _ cursor: inout JSONCursor, _ found: inout (id: String?, model: String?)
    ) throws(JSONError) {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            let kind = try cursor.kind()
            if kind == .string, cursor.equals(key, "id") {
                let id = cursor.decoded(try cursor.string())
                if found.id == nil { found.id = String(id.prefix(256)) }
            } else if kind == .string, cursor.equals(key, "model") {
                let model = cursor.decoded(try cursor.string())
                if found.model == nil { found.model = String(model.prefix(256)) }
            } else if kind == .object, cursor.equals(key, "message") || cursor.equals(key, "response") {
                try read(&cursor, &found)
            } else {
                try cursor.skipValue()
            }
        }
    }
}
