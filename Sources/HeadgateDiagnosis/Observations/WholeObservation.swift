/// One response without a stream. Instants are nanoseconds since the request was sent.
package struct WholeObservation: Sendable {
    package let status: Int
    package let fields: ResponseFields
    package let body: [UInt8]
    package let endAt: UInt64

    package init(status: Int, fields: ResponseFields = [:], body: [UInt8], endAt: UInt64) {
        self.status = status
        self.fields = fields
        self.body = body
        self.endAt = endAt
    }
}

/// The reason why there was no response at all.
package struct ExchangeFailure: Error, Sendable, Equatable {
    package enum Stage: Sendable, Equatable {
        /// The name lookup, or the connection.
        case connect
        case tls
        /// No response arrived in time.
        case silence
        /// Something arrived that is not a response.
        case answer
    }

    package let stage: Stage
    /// The system's or the codec's message.
    package let detail: String

    package init(_ stage: Stage, _ detail: String) {
        self.stage = stage
        self.detail = detail
    }
}
