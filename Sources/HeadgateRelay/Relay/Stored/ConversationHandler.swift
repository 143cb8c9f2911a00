internal import HeadgateContract
internal import HeadgateDialects
package import HeadgateHTTP

/// Handler for the conversations that the gateway stores: `/v1/conversations` and the paths below it.
package struct ConversationHandler: Sendable {
    /// Storage of the gateway; nil if it stores no conversations.
    let kept: LocalResponses?
    let access: StoredResponseAccess
    let bodies: BodyBudget
    /// Current time in nanoseconds since 1970.
    let realtime: @Sendable () -> Int64

    package init(
        kept: LocalResponses?, access: StoredResponseAccess, bodies: BodyBudget,
        realtime: @escaping @Sendable () -> Int64
    ) {
        self.kept = kept
        self.access = access
        self.bodies = bodies
        self.realtime = realtime
    }

    package static let operations = [
        OperationTable.createConversation.id, OperationTable.retrieveConversation.id,
        OperationTable.updateConversation.id, OperationTable.deleteConversation.id,
        OperationTable.listConversationItems.id, OperationTable.createConversationItems.id,
        OperationTable.retrieveConversationItem.id, OperationTable.deleteConversationItem.id,
    ]

    package func handle(
        _ operationID: String, _ request: RequestHead, _ body: HTTPBody?, _ metadata: ServerRequestMetadata,
        completion: @escaping RequestHandler.Completion
    ) {
        do throws(GatewayError) {
            guard let kept else { throw .keepsNoConversations }
            let now = realtime() / 1_000_000_000
            let end = now + kept.lifetime
            let call = ConversationCall(metadata, kept, access, at: now, completion: completion)
            let (id, item) = try ids(operationID, metadata)
            switch operationID {
            case OperationTable.createConversation.id:
                let owner = StoredResponseAccess.maker(metadata).bytes
                call.read(body, within: bodies.allowance()) { (body) throws(GatewayError) in
                    let conversation = Conversation(
                        id: id, owner: owner, created: now,
                        metadata: try ConversationRequest.metadata(body["metadata"]))
                    return .creation(conversation, try ConversationRequest.items(body["items"] ?? []), until: end)
                } then: {
                    call.ask($0, about: id)
                }
            case OperationTable.updateConversation.id:
                call.read(body, within: bodies.allowance()) { (body) throws(GatewayError) in
                    guard let metadata = body["metadata"] else { throw ConversationRequest.missing("metadata") }
                    return .metadata(try ConversationRequest.metadata(metadata), until: end)
                } then: {
                    call.ask($0, about: id)
                }
            case OperationTable.createConversationItems.id:
                call.read(body, within: bodies.allowance()) { (body) throws(GatewayError) in
                    guard let items = body["items"] else { throw ConversationRequest.missing("items") }
                    return .addition(try ConversationRequest.items(items), until: end)
                } then: {
                    call.ask($0, about: id)
                }
            case OperationTable.deleteConversation.id: call.ask(.deletion, about: id)
            case OperationTable.listConversationItems.id:
                let page = try StoredResponseHandler.Query(request.path, hasStreams: false).page()
                let wanted = ConversationPage(
                    limit: page.limit, isAscending: page.isAscending, after: page.after,
                    octets: kept.conversations.octets)
                call.ask(.items(wanted), about: id)
            case OperationTable.retrieveConversationItem.id: call.ask(.item(item), about: id)
            case OperationTable.deleteConversationItem.id: call.ask(.itemDeletion(item), about: id)
            default: call.ask(.conversation, about: id)
            }
        } catch {
            completion(.failure(error))
        }
    }

    /// Returns the ids in the path, or the id of a new conversation.
    private func ids(
        _ operationID: String, _ metadata: ServerRequestMetadata
    ) throws(GatewayError) -> (conversation: String, item: String) {
        guard operationID != OperationTable.createConversation.id else {
            return ("conv_\(LocalResponses.makeID())", "")
        }
        let id = metadata.pathParameters["conversation_id"] ?? ""
        guard LocalResponses.isConversationID(id) else { throw .unknownConversation("conversation_id") }
        let item = metadata.pathParameters["item_id"] ?? ""
        guard item.isEmpty || ConversationItem.isID(item) else { throw .unknownItem }
        return (id, item)
    }
}

/// Reader of the bodies of conversation requests.
enum ConversationRequest {
    /// Maximum items of one request. This limit and the ones below are those of OpenAI's API.
    private static let mostItems = 20
    private static let mostMembers = 16
    /// Maximum length in Unicode scalars, because a single character can consist of any number of them.
    private static let longestName = 64
    private static let longestText = 512

    static func items(_ value: JSONValue) throws(GatewayError) -> [ConversationItem] {
        if value.isNull { return [] }
        guard let values = value.array else { throw .invalidItem("items", "must be an array of items") }
        guard values.count <= mostItems else {
            throw .invalidItem("items", "may hold \(mostItems) items at a time: add more with further requests")
        }
        return try ConversationItems.read(values, at: "items")
    }

    /// - Returns: a JSON object of strings.
    static func metadata(_ value: JSONValue?) throws(GatewayError) -> [UInt8] {
        guard let value, !value.isNull else { return Array("{}".utf8) }
        guard let object = value.object, object.members.count <= mostMembers else {
            throw .invalidItem("metadata", "must be an object of at most \(mostMembers) members")
        }
        for member in object.members {
            guard member.name.unicodeScalars.count <= longestName, let text = member.value.string,
                text.unicodeScalars.count <= longestText
            else {
                throw .invalidItem(
                    "metadata", "may have names of \(longestName) characters, and texts of \(longestText) characters")
            }
        }
        return value.bytes
    }

    static func missing(_ member: String) -> GatewayError {
        .invalidRequest(400, "The member '\(member)' is missing.", code: "missing_member", parameter: member)
    }
}
