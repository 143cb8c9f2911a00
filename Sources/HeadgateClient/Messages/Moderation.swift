/// Result of a moderation.
public struct Moderation: Hashable, Sendable, Decodable {
    /// Result for one text.
    public struct Result: Hashable, Sendable, Decodable {
        /// Whether the text is harmful.
        public var isFlagged: Bool
        /// Whether the text belongs to a category of harm, such as `violence`, by category.
        public var categories: [String: Bool]
        /// Score from 0 to 1, by category.
        public var scores: [String: Double]
        /// Members without a property.
        public var additional: [String: JSONValue]

        /// Reads a result from the list. Categories that the provider does not judge are left out.
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

    /// The provider's id of this response.
    public var id: String
    /// Name of the model that produced the results.
    public var model: String
    /// Results in the order of the texts.
    public var results: [Result]

    /// Reads a response.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        id = try members.decodeIfPresent(String.self, forKey: "id") ?? ""
        model = try members.decodeIfPresent(String.self, forKey: "model") ?? ""
        results = try members.decode([Result].self, forKey: "results")
    }
}
