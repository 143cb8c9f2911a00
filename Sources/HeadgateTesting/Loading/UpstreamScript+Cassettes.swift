package import HeadgateCassettes

extension UpstreamScript {
    /// Creates a script that responds to each request like the first cassette with its method and path, at the recorded
    /// pace.
    ///
    /// - Throws: ``ScriptError`` if a cassette has no bodies, or ended in a way that an upstream cannot reproduce.
    package init(_ cassettes: [(name: String, cassette: Cassette)]) throws(ScriptError) {
        var exchanges: [ScriptedExchange] = []
        for (name, cassette) in cassettes {
            let request = cassette.request
            let stream = request.body?.bytes.map { RequestWishes($0).isStream }
            exchanges.append(
                ScriptedExchange(
                    name,
                    expect: RequestExpectation(
                        method: request.method, path: String(request.path.prefix { $0 != "?" }), isStream: stream),
                    response: try ScriptedResponse(cassette, name)))
        }
        self.init(exchanges)
    }
}

extension ScriptedResponse {
    /// Creates a response from a cassette.
    ///
    /// - Parameter name: The name of the file, for errors.
    init(_ cassette: Cassette, _ name: String) throws(ScriptError) {
        let end = try End(cassette, name)
        guard let recorded = cassette.response else {
            self.init(headDelay: .milliseconds(cassette.end.milliseconds), endBeforeHead: end)
            return
        }
        guard cassette.responseBody != nil else {
            throw ScriptError(place: name, problem: "its bodies were left out of the recording")
        }
        var headers = HeaderLines()
        for field in recorded.fields { headers.append(field.name, field.value) }
        var before = 0
        let chunks = recorded.chunks.compactMap { chunk in
            defer { before = chunk.milliseconds }
            return chunk.content.bytes.map {
                ScriptedChunk(bytes: $0, delay: .milliseconds(chunk.milliseconds - before))
            }
        }
        self.init(
            status: recorded.status, headers: headers, chunks: chunks, framing: Framing(recorded.framing), end: end,
            headDelay: .milliseconds(recorded.milliseconds))
    }
}

extension ScriptedResponse.Framing {
    fileprivate init(_ framing: Cassette.Framing) {
        self =
            switch framing {
            case .chunked: .chunked
            case .length: .length
            case .close: .close
            }
    }
}

extension ScriptedResponse.End {
    /// Creates the end of a response that has the recorded effect.
    fileprivate init(_ cassette: Cassette, _ name: String) throws(ScriptError) {
        let isReset = cassette.end.detail.lowercased().contains("reset")
        switch cassette.end.kind {
        case .complete: self = .clean
        case .truncatedBody, .closedBeforeResponse, .connect: self = isReset ? .reset : .cut
        case .abandoned, .silenceTimeout, .responseTimeout: self = .stall
        case .unreachable, .connectTimeout, .tls, .notReady, .busy, .noKey, .unavailable, .middleware,
            .encoding, .protocolViolation:
            throw ScriptError(
                place: name,
                problem: "it ended with \(cassette.end.kind.rawValue), which is not for an upstream to play")
        }
    }
}
