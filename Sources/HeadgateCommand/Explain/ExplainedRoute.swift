import ArgumentParser
import HeadgateService

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A route whose requests can be explained.
enum ExplainedRoute: String, CaseIterable, ExpressibleByArgument {
    case chat, completions, responses, messages, embeddings, moderations, images, speech, rerank

    var path: String {
        switch self {
        case .chat: "/v1/chat/completions"
        case .completions: "/v1/completions"
        case .responses: "/v1/responses"
        case .messages: "/v1/messages"
        case .embeddings: "/v1/embeddings"
        case .moderations: "/v1/moderations"
        case .images: "/v1/images/generations"
        case .speech: "/v1/audio/speech"
        case .rerank: "/v1/rerank"
        }
    }

    /// Selects the route for a body by its members; chat if several routes are possible.
    ///
    /// - Throws: ``Complaint`` if it is not a JSON object.
    init(takingBody body: [UInt8]) throws {
        let members: [String]
        do {
            members = try JSONDecoder().decode(MemberNames.self, from: Data(body)).names
        } catch {
            throw Complaint("standard input holds no JSON object: give the request that is to be explained")
        }
        if members.contains("messages") {
            // Only Anthropic's format has `system` at the top level.
            self = members.contains("system") ? .messages : .chat
        } else {
            self = members.contains("input") ? .responses : members.contains("prompt") ? .completions : .chat
        }
    }

    /// Returns a minimal request for the route. It is a stream if the route supports streams.
    func request(model: String) throws -> [UInt8] {
        let name = String(decoding: try JSONEncoder().encode(model), as: UTF8.self)
        let messages = #""messages":[{"role":"user","content":"Hello"}]"#
        let rest =
            switch self {
            case .chat: #""stream":true,\#(messages)"#
            case .completions: #""stream":true,"prompt":"Hello""#
            case .responses: #""stream":true,"input":"Hello""#
            case .messages: #""stream":true,"max_tokens":16,\#(messages)"#
            case .embeddings, .moderations: #""input":"Hello""#
            case .images: #""prompt":"Hello""#
            case .speech: #""input":"Hello","voice":"alloy""#
            case .rerank: #""query":"Hello","documents":["Hello"]"#
            }
        return Array(#"{"model":\#(name),\#(rest)}"#.utf8)
    }
}

/// The names of an object's members.
private struct MemberNames: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue _: Int) { nil }
    }

    let names: [String]

    init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
    }
}
