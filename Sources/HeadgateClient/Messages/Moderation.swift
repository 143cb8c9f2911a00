/// Result of a moderation.
public struct Moderation: Hashable, Sendable, Decodable {
    /// Result for one text.
    public struct Result: Hashable, Sendable, Decodable {
        /// Whether it is harmful.
        public var isFlagged: Bool
        /// Whether it is, of each kind, such as `violence`.
        public var categories: [String: Bool]
        /// How likely it is, of each kind, from 0 to 1.
        public var scores: [String: Double]
        /// Members that have no property here.
        public var additional: [String: JSONValue]

        /// Reads an entry of the list; a kind that the provider does not judge is left out.
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: MemberName.self)
            isFlagged = try members.decode(Bool.self, forKey: "flagged")
            categories =
                try members.decodeIfPresent([String: Bool?].self, forKey: "categories")?.compactMapValues(\.self) ?? [:]
            scores =
                try members.decodeIfPresent([String: Double?].self, forKey: "category_scores")?
                .compactMapValues(\.self) ?? [:]
            additional = members.additional(besides: ["flagged", "categories", "category_scores"])
        }
    }

    /// The provider's name for this answer.
    public var id: String
    /// The model that gave it.
    public var model: String
    /// One for each text, in their order.
    public var results: [Result]

    /// Reads a response.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        id = try members.decodeIfPresent(String.self, forKey: "id") ?? ""
        model = try members.decodeIfPresent(String.self, forKey: "model") ?? ""
        results = try members.decode([Result].self, forKey: "results")
    }
}
