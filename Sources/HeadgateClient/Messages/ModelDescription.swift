/// A model that a server offers.
public struct ModelDescription: Hashable, Sendable, Identifiable, Decodable {
    /// The name to ask for.
    public var id: String
    /// Who offers it; with Headgate the upstream's name.
    public var owner: String?
    /// The route by which it takes a chat; Headgate says so, and of other servers it is the usual one.
    public var chatRoute: ChatRoute

    /// Reads an entry of a list of models.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        id = try members.decode(String.self, forKey: "id")
        owner = try members.decodeIfPresent(String.self, forKey: "owned_by")
        let routes = (try? members.decodeIfPresent([String].self, forKey: "speaks")) ?? []
        chatRoute = routes.contains("messages") && !routes.contains("chat") ? .messages : .chatCompletions
    }
}

struct ModelList: Decodable {
    let data: [ModelDescription]
}
