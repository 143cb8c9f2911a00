/// A model that a server offers.
public struct ModelDescription: Hashable, Sendable, Identifiable, Decodable {
    /// The name to ask for.
    public var id: String
    /// Who offers it; with Headgate the upstream's name.
    public var owner: String?
    /// The route by which it takes a chat; Headgate says so, and of other servers it is the usual one.
    public var chatRoute: ChatRoute
    /// When it was made, in seconds since 1970, where the server says so.
    public var created: Int?
    /// Members that have no property here, such as those of one vendor.
    public var additional: [String: JSONValue]

    /// Reads an entry of a list of models.
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
