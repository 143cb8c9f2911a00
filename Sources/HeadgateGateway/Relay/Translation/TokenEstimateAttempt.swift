internal import HTTPTypes
internal import HeadgateDialects
internal import HeadgateHTTP

/// Answers how many tokens a request is about, for an upstream that cannot be asked.
final class TokenEstimateAttempt: RelayAttempt {
    override func prepare(_ envelope: RequestEnvelope, _ client: HeadFields) { estimateTokens(of: envelope.bytes) }
}

extension RelayAttempt {
    /// Ends the attempt with an estimate.
    ///
    /// - Parameter body: of the request.
    func estimateTokens(of body: [UInt8]) {
        guard body.count > LongDocument.octets else {
            do throws(GatewayError) { respond(try RelayAttempt.tokens(of: body)) } catch { fail(error) }
            return
        }
        aside(metadata) { () throws(GatewayError) in
            try RelayAttempt.tokens(of: body)
        } then: { [self] result in
            switch result {
            case .success(let tokens): respond(tokens)
            case .failure(let error): fail(error)
            }
        }
    }

    private static func tokens(of body: [UInt8]) throws(GatewayError) -> Int {
        do throws(TranslationError) {
            return try TokenEstimate.ofMessages(body)
        } catch {
            throw GatewayError(untranslatable: error)
        }
    }

    private func respond(_ tokens: Int) {
        metadata.record.facts.promptTokens = tokens
        let fields: HTTPFields = [.xHeadgateEstimated: "true"]
        succeed(
            ServerResponse(
                RelayFields.head(upstream.heads.document, passing: fields),
                .bytes(Array(#"{"input_tokens":\#(tokens)}"#.utf8))))
    }
}
