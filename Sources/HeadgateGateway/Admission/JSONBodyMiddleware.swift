internal import HeadgateHTTP

/// Checks the type and the declared length of a JSON body before any of it is read.
struct JSONBodyMiddleware: ServerGate {
    /// Octets.
    let limit: Int

    func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) throws {
        guard request.fields.withValue(of: .contentType, JSONBodyMiddleware.isJSON) ?? false else {
            throw GatewayError.invalidRequest(415, "The request needs 'Content-Type: application/json'.")
        }
        if let coding = request.fields.value(of: .contentEncoding), coding.lowercased() != "identity" {
            throw GatewayError.compressedBody
        }
        if case .fixed(let count) = metadata.bodyLength, count > limit {
            throw HTTPSyntaxError.bodyTooLarge(limit: limit)
        }
        metadata.bodyLimit = limit
    }

    /// `application/json`, whatever parameters follow.
    static func isJSON(_ value: UnsafeRawBufferPointer) -> Bool {
        let wanted: StaticString = "application/json"
        let length = wanted.utf8CodeUnitCount
        guard value.count >= length else { return false }
        for index in 0..<length {
            let byte = value[index]
            guard (byte &- 0x41 < 26 ? byte | 0x20 : byte) == wanted.utf8Start[index] else { return false }
        }
        for byte in value[length...] where byte != 0x20 && byte != 0x09 { return byte == UInt8(ascii: ";") }
        return true
    }
}
