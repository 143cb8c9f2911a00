internal import HTTPTypes
internal import HeadgateHTTP

/// A relayed request whose answer has begun.
struct RelayExchange {
    let envelope: RequestEnvelope
    let target: ModelTable.Target
    let errors: UpstreamErrorReading
    let record: RequestRecord
    /// Fields of the upstream's response that the client gets too.
    let passedFields: HTTPFields

    /// What the answer is to call the model; nil to leave what the upstream calls it.
    var publicModel: String? { target.publicModel(envelope.model) }
}

/// The fields of relayed requests and answers: which are sent, which pass.
enum RelayFields {
    static let answer: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]

    // Made once for all requests.
    private static let stream = request(accept: "text/event-stream")
    private static let whole = request(accept: "application/json")
    private static let media = request(accept: "*/*")

    private static func request(accept: String) -> HTTPFields {
        [
            .contentType: "application/json", .accept: accept, .acceptEncoding: "identity", .userAgent: "headgate",
        ]
    }

    /// Of an upstream request. Of the client's own, only what the dialect needs and the configuration names.
    static func request(
        for operation: RelayOperation, isStream: Bool, client: HTTPFields, upstream: Upstream
    ) -> HTTPFields {
        var fields: HTTPFields
        if case .media = operation.answer { fields = media } else { fields = isStream ? stream : whole }
        if case .anthropic = operation.dialect {
            // What the client's library was written for, byte for byte.
            fields.append(HTTPField(name: .anthropicVersion, value: client.first(.anthropicVersion) ?? "2023-06-01"))
            for field in client where field.name == .anthropicBeta { fields.append(field) }
        }
        // The client's word stands in place of the gateway's own.
        for name in upstream.forwardedFields where client.contains(name) {
            fields[name] = nil
            for field in client where field.name == name { fields.append(field) }
        }
        return fields
    }

    /// Of an upstream's response: its rate limits, where they are this caller's to know.
    static func passed(_ fields: HTTPFields, of upstream: Upstream) -> HTTPFields {
        var passed: HTTPFields = [:]
        guard upstream.relaysRateLimits else { return passed }
        for field in fields {
            let name = field.name.canonicalName
            guard name.hasPrefix("x-ratelimit-") || name.hasPrefix("anthropic-ratelimit-") else { continue }
            passed.append(field)
        }
        return passed
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
