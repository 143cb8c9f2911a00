internal import JSONBytes

extension WholeObservation {
    /// The message of an error response; nil if the response is not an error of either dialect.
    package var errorText: String? { EventMembers(body)?.error }

    /// Whether it is a model's response.
    package var isCompletion: Bool { status == 200 && EventMembers(body)?.isCompletion == true }

    /// The seconds to wait before a retry, if the response asks for a wait; otherwise nil.
    package var retryAfterSeconds: Int? {
        guard status == 503 else { return nil }
        if let seconds = fields["retry-after"].flatMap({ Int($0) }), seconds >= 0 { return seconds }
        return mentions("upstream_starting") ? 2 : nil
    }

    package var isJSON: Bool { (fields["content-type"] ?? "").lowercased().hasPrefix("application/json") }

    package func mentions(_ text: String) -> Bool { String(decoding: body, as: UTF8.self).contains(text) }

    /// The names in a list of models, in its order; nil if the response is not such a list.
    package var modelNames: [String]? {
        body.withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes)
            return try? cursor.modelNames()
        }
    }

    /// Returns the record of a request in a gateway's `/status/data`; nil if the response is something else.
    package func account(ofRequest id: String) -> GatewayAccount? {
        let account = body.withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes)
            return try? cursor.account(of: id)
        }
        guard status == 200, let account, !account.startedAt.isEmpty else { return nil }
        return account
    }

    /// The version in a gateway's own description.
    var gatewayVersion: String? {
        body.withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes)
            let found = try? cursor.titleAndVersion()
            return found?.title == "Headgate" ? found?.version : nil
        }
    }
}

extension JSONCursor {
    fileprivate mutating func modelNames() throws(JSONError) -> [String]? {
        var names: [String]?
        try beginObject()
        while let key = try nextKey() {
            guard decoded(key) == "data", try kind() == .array else {
                try skipValue()
                continue
            }
            var found: [String] = []
            try beginArray()
            while try nextElement() {
                if let name = try member("id") { found.append(name) }
            }
            names = found
        }
        return names
    }

    fileprivate mutating func account(of id: String) throws(JSONError) -> GatewayAccount {
        var account = GatewayAccount()
        try beginObject()
        while let key = try nextKey() {
            switch decoded(key) {
            case "started_at": account.startedAt = try text() ?? ""
            case "streams_in_flight": account.streamsInFlight = try integer() ?? 0
            case "recent": account.outcome = try outcome(of: id)
            default: try skipValue()
            }
        }
        return account
    }

    private mutating func outcome(of id: String) throws(JSONError) -> String? {
        var found: String?
        try beginArray()
        while try nextElement() {
            var bookmark = self
            if try member("id") == id { found = try bookmark.member("outcome") }
        }
        return found
    }

    fileprivate mutating func titleAndVersion() throws(JSONError) -> (title: String?, version: String?) {
        try beginObject()
        while let key = try nextKey() {
            guard decoded(key) == "info" else {
                try skipValue()
                continue
            }
            var bookmark = self
            return (try member("title"), try bookmark.member("version"))
        }
        return (nil, nil)
    }

    /// Reads a value, and returns its member with that name if it is text; nil otherwise.
    private mutating func member(_ name: String) throws(JSONError) -> String? {
        guard try kind() == .object else {
            try skipValue()
            return nil
        }
        var found: String?
        try beginObject()
        while let key = try nextKey() {
            if decoded(key) == name { found = try text() } else { try skipValue() }
        }
        return found
    }
}
