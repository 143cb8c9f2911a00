package import HTTPTypes
package import HeadgateHTTP

/// The fields of relayed responses: which are sent, which pass.
package enum RelayFields {
    /// Of every whole response without further fields.
    package static let responseHead = ServerResponseHead(
        HTTPResponse(
            status: .ok, headerFields: [.contentType: "application/json", .cacheControl: "no-store"]))

    /// - Parameter passed: fields of the upstream's response that the client gets too.
    package static func head(_ usual: ServerResponseHead, passing passed: HTTPFields) -> ServerResponseHead {
        if passed.isEmpty { return usual }
        return ServerResponseHead(
            HTTPResponse(status: usual.response.status, headerFields: usual.response.headerFields + passed))
    }

    /// Of an upstream's response: its rate limits, if this caller may see them.
    static func passed(_ fields: HeadFields, of upstream: Upstream) -> HTTPFields {
        guard upstream.relaysRateLimits else { return [:] }
        return RateLimitFields.passed(fields)
    }
}

extension HTTPFields {
    static func + (left: HTTPFields, right: HTTPFields) -> HTTPFields {
        if right.isEmpty { return left }
        var sum = left
        for field in right { sum.append(field) }
        return sum
    }

    static func += (left: inout HTTPFields, right: HTTPFields) {
        for field in right { left.append(field) }
    }
}
