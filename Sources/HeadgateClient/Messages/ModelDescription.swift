/// A model that a server offers.
public struct ModelDescription: Hashable, Sendable, Identifiable, Decodable {
    /// Name of the model in requests.
    public var id: String
    /// Owner of the model; with Headgate, the upstream's name.
    public var owner: String?
    /// Route for chats with the model. Headgate reports it; for other servers it is chat completions.
    public var chatRoute: ChatRoute
    /// Creation time in seconds since 1970; nil if the server does not report it.
    public var created: Int?
    /// Members without a property, such as vendor-specific ones.
    public var additional: [String: JSONValue]

    /// Reads a model from a list.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        id = try members.decode(String.self, forKey: "id")
        owner = try members.decodeIfPresent(String.self, forKey: "owned_by")
        let routes = (try? members.decodeIfPresent([String].self, forKey: "speaks")) ?? []
        let known: [(String, ChatRoute)] = [
            ("chat", .chatCompletions), ("messages", .messages), ("responses", .responses),
        ]
        chatRoute = known.first { routes.contains($0.0) }?.1 ?? .chatCompletions
        created = members.seconds(forKey: "created")
        additional = members.additional(besides: ["id", "object", "owned_by", "speaks", "created"])
    }
}

struct ModelList: Decodable {
    let data: [ModelDescription]
}
