package import HTTPTypes
package import HeadgateHTTP

/// Headers of relayed responses: the gateway's own and those passed on from the upstream.
package enum RelayFields {
    /// Head of every non-streamed response without further headers.
    package static let responseHead = ServerResponseHead(
        HTTPResponse(
            status: .ok, headerFields: [.contentType: "application/json", .cacheControl: "no-store"]))

    /// Returns the usual head with more headers appended.
    ///
    /// - Parameter passed: headers to append, such as those of the upstream's response.
    package static func head(_ usual: ServerResponseHead, passing passed: HTTPFields) -> ServerResponseHead {
        if passed.isEmpty { return usual }
        return ServerResponseHead(
            HTTPResponse(status: usual.response.status, headerFields: usual.response.headerFields + passed))
    }

    /// Returns the upstream's response headers that the client may see: rate limits, if the upstream relays them.
    static func passed(_ fields: HeadFields, of upstream: Upstream) -> HTTPFields {
        guard upstream.relaysRateLimits else { return .none }
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
