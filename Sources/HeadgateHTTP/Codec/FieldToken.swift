/// Name of a header that the gateway itself reads. All other headers are found by their bytes.
package enum FieldToken: UInt8, Sendable {
    case other
    case host, contentLength, transferEncoding, connection, expect
    case authorization, xAPIKey, contentType, contentEncoding, origin, secFetchSite
    case xRequestID, xHeadgateExplain

    /// - Parameter name: a token, in any case.
    init(_ name: UnsafeRawBufferPointer) {
        self =
            switch name.count {
            case 4: FieldToken.is(name, "host") ? .host : .other
            case 6: FieldToken.is(name, "origin") ? .origin : FieldToken.is(name, "expect") ? .expect : .other
            case 9: FieldToken.is(name, "x-api-key") ? .xAPIKey : .other
            case 10: FieldToken.is(name, "connection") ? .connection : .other
            case 12:
                FieldToken.is(name, "content-type")
                    ? .contentType : FieldToken.is(name, "x-request-id") ? .xRequestID : .other
            case 13: FieldToken.is(name, "authorization") ? .authorization : .other
            case 14:
                FieldToken.is(name, "content-length")
                    ? .contentLength : FieldToken.is(name, "sec-fetch-site") ? .secFetchSite : .other
            case 16: FieldToken.is(name, "content-encoding") ? .contentEncoding : .other
            case 17: FieldToken.is(name, "transfer-encoding") ? .transferEncoding : .other
            case 18: FieldToken.is(name, "x-headgate-explain") ? .xHeadgateExplain : .other
            default: .other
            }
    }

    /// Whether the header has a single value that decides something. A second line is refused, rather than ignoring one
    /// of them.
    var isSingle: Bool {
        switch self {
        case .authorization, .xAPIKey, .contentType, .contentEncoding, .origin, .secFetchSite, .xHeadgateExplain:
            true
        default: false
        }
    }

    // If inlined, the texts become numbers to compare with.
    @inline(__always)
    private static func `is`(_ name: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        ByteClass.equalsIgnoringCase(name, text)
    }
}
