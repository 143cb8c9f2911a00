import HeadgateHTTP

@testable import HeadgateClient

/// Returns a client with a transport that uses no network.
func client(of transport: InMemoryTransport, apiKey: String? = nil) throws -> HeadgateClient {
    try HeadgateClient(baseURL: "http://127.0.0.1:8686/v1", apiKey: apiKey, transport: transport)
}

extension HeadgateClientError {
    /// Name of the case, for comparisons.
    var kind: String {
        switch self {
        case .invalidURL: "invalidURL"
        case .timedOut: "timedOut"
        case .connectionFailed: "connectionFailed"
        case .status: "status"
        case .streamFailed: "streamFailed"
        case .streamTruncated: "streamTruncated"
        case .decoding: "decoding"
        case .unexpectedResponse: "unexpectedResponse"
        case .alreadyResponding: "alreadyResponding"
        case .invalidRequest: "invalidRequest"
        case .refused: "refused"
        case .answerCut: "answerCut"
        case .tooManyToolRounds: "tooManyToolRounds"
        case .toolCallsCut: "toolCallsCut"
        case .toolFailed: "toolFailed"
        }
    }
}

/// Elements of a stream, and the error that ended it.
struct Played: Equatable {
    var pieces: [String] = []
    /// ``HeadgateClientError/kind`` of the error; nil if the stream ended well.
    var error: String?
}

/// Reads a stream to its end.
func play<Chunk: CompletionChunk>(_ stream: CompletionStream<Chunk>, _ text: (Chunk) -> String) async throws -> Played {
    var played = Played()
    do {
        for try await chunk in stream { played.pieces.append(text(chunk)) }
    } catch let error as HeadgateClientError {
        played.error = error.kind
    }
    return played
}
