internal import HTTPTypes
internal import HeadgateHTTP

/// What a relayed request asked for and of whom, without its bytes: a body can be large, and a stream long.
final class RelayExchange {
    let model: String
    let isStream: Bool
    /// Answers asked for.
    let choices: Int
    /// Whether the client itself asked for usage in its stream.
    let asksUsage: Bool
    let target: ModelTable.Target
    let record: RequestRecord
    /// Fields of the upstream's response that the client gets too; known when it has begun.
    var passedFields: HTTPFields = [:]

    init(_ envelope: RequestEnvelope, target: ModelTable.Target, record: RequestRecord) {
        model = envelope.model
        isStream = envelope.isStream
        choices = envelope.choices
        asksUsage = envelope.asksUsage
        self.target = target
        self.record = record
    }

    var upstream: Upstream { target.upstream }
    /// What the answer is to call the model; nil to leave what the upstream calls it.
    var publicModel: String? { target.publicModel(model) }
}

/// The fields of relayed answers: which are sent, which pass.
enum RelayFields {
    /// Of every whole answer that adds no field of its own.
    static let responseHead = ServerResponseHead(
        HTTPResponse(
            status: .ok, headerFields: [.contentType: "application/json", .cacheControl: "no-store"]))

    /// - Parameter passed: fields of the upstream's response that the client gets too.
    static func head(_ usual: ServerResponseHead, passing passed: HTTPFields) -> ServerResponseHead {
        if passed.isEmpty { return usual }
        return ServerResponseHead(
            HTTPResponse(status: usual.response.status, headerFields: usual.response.headerFields + passed))
    }

    /// Of an upstream's response: its rate limits, where they are this caller's to know.
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
