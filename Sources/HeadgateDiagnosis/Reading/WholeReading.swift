internal import JSONBytes

extension WholeObservation {
    /// What an error answer says; nil when it is not in the form of either dialect.
    package var errorText: String? { EventMembers(body)?.error }

    /// Whether it is an answer of a model.
    package var isAnswer: Bool { status == 200 && EventMembers(body)?.hasAnswer == true }

    package var isJSON: Bool { (fields["content-type"] ?? "").lowercased().hasPrefix("application/json") }

    package func mentions(_ text: String) -> Bool { String(decoding: body, as: UTF8.self).contains(text) }

    /// The ids of a list of models, in its order; nil when it is none.
    package var modelNames: [String]? {
        body.withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes)
            return try? cursor.modelNames()
        }
    }

    /// How a request ended, of a gateway's account of the last ones (`/status/data`); nil when it is not among them.
    package func outcome(ofRequest id: String) -> String? {
        body.withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes)
            return try? cursor.outcome(of: id)
        }
    }

    /// The version, of a gateway's own description.
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

    fileprivate mutating func outcome(of id: String) throws(JSONError) -> String? {
        var found: String?
        try beginObject()
        while let key = try nextKey() {
            guard decoded(key) == "recent", try kind() == .array else {
                try skipValue()
                continue
            }
            try beginArray()
            while try nextElement() {
                var bookmark = self
                if try member("id") == id { found = try bookmark.member("outcome") }
            }
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

    /// A member of an object that is text; nil without it, and of anything else.
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
