package import HeadgateHTTP

/// Gives every request an id, the client's own if it is well-formed. The response carries it as `x-request-id`.
package struct RequestIDMiddleware: ServerGate {
    let generator: RequestIDGenerator

    package init(generator: RequestIDGenerator) {
        self.generator = generator
    }

    package func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) {
        metadata.record.facts.requestID =
            RequestIDMiddleware.accepted(request.fields.value(of: .xRequestID)) ?? generator.next()
    }

    /// Accepts letters, digits, `.`, `_` and `-`, at most 128 of them.
    static func accepted(_ presented: String?) -> String? {
        guard let presented, (1...128).contains(presented.utf8.count) else { return nil }
        let isWellFormed = presented.utf8.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x2D || byte == 0x2E || byte == 0x5F
        }
        return isWellFormed ? presented : nil
    }
}
