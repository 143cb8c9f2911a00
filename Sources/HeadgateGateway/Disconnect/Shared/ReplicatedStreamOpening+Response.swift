internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateRelay

/// Conversion between a response and its form in a store.
extension ReplicatedStreamOpening {
    init(_ opening: DetachedStream.Opening) {
        var fields: [UInt8] = []
        for field in opening.head.response.headerFields {
            fields += "\(field.name.rawName): \(field.value)\r\n".utf8
        }
        self.init(fields: fields, dialect: opening.dialect.rawValue, model: opening.model)
    }

    /// Nil if no gateway of this version has written it.
    var response: (head: ServerResponseHead, dialect: Dialect)? {
        guard let dialect = Dialect(rawValue: dialect), dialect != .ollama else { return nil }
        let fields = fields.withUnsafeBufferPointer { HTTPFields(lines: $0) }
        let head = ServerResponseHead(HTTPResponse(status: .ok, headerFields: fields))
        return EventStream.isEventStream(head) ? (head, dialect) : nil
    }
}
