internal import HTTPTypes
package import HeadgateHTTP

/// Checks the type and the declared length of a JSON body before any of it is read.
package struct JSONBodyMiddleware: ServerGate {
    /// Maximum bytes of the body.
    let limit: Int

    package init(limit: Int) {
        self.limit = limit
    }

    package func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) throws {
        guard
            request.fields.withValue(of: .contentType, JSONBodyMiddleware.isJSON) ?? false
                || JSONBodyMiddleware.isOfAProgram(request, metadata)
        else {
            throw GatewayError.invalidRequest(415, "The request needs 'Content-Type: application/json'.")
        }
        if let name = request.fields.value(of: .contentEncoding) {
            guard let coding = ContentCoding(name) else { throw GatewayError.unknownCoding }
            if coding != .identity { metadata.bodyCoding = coding }
        }
        if case .fixed(let count) = metadata.bodyLength, count > limit {
            throw HTTPSyntaxError.bodyTooLarge(limit: limit)
        }
        metadata.bodyLimit = limit
    }

    /// Returns whether a program sent the body without a type, or with that of a form as `curl -d` does. A browser does
    /// not send such a request for a page: it would name the page's origin and could not send a key in a header.
    private static func isOfAProgram(_ request: RequestHead, _ metadata: ServerRequestMetadata) -> Bool {
        if case .fixed(0) = metadata.bodyLength { return false }
        let isPlain = request.fields.withValue(of: .contentType) {
            $0.elementsEqual("application/x-www-form-urlencoded".utf8)
        }
        guard isPlain ?? true, !pageFields.contains(where: request.fields.contains) else { return false }
        if case .unix = metadata.connection.local.carrier { return true }
        return metadata.caller.digest != nil || metadata.caller === ClientKey.keyless
    }

    private static let pageFields: [HTTPField.Name] =
        [.origin, .referer]
        + ["Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest", "Sec-Fetch-User"].compactMap { HTTPField.Name($0) }

    /// Returns whether the type is `application/json`, with any parameters.
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
