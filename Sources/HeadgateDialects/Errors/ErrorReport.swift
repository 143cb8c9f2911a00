internal import JSONBytes

/// An error that an upstream reported, in any of its many shapes.
package struct ErrorReport: Equatable, Sendable {
    /// Message of the upstream; empty if it gave none.
    package var message = ""
    package var type: String?
    package var code: String?
    package var parameter: String?
    /// Number of tokens in a prompt that does not fit and in the context that cannot hold it, as llama.cpp reports
    /// them.
    package var promptTokens: Int?
    package var context: Int?

    package init() {}

    /// Maximum bytes of a document that is read. Longer documents hold no useful message, and reading them would block
    /// the loop.
    package static let longestDocument = 256 << 10

    /// Reads an error that an upstream sent instead of a response or a stream event.
    ///
    /// - Parameter byWordsAlone: See ``isError(_:byWordsAlone:)``.
    /// - Returns: Nil if the document is not an error or not JSON.
    package init?(in document: UnsafeRawBufferPointer, byWordsAlone: Bool = true) {
        guard document.count <= ErrorReport.longestDocument, !ErrorReport.holdsResponse(document),
            let value = try? JSONValue(document),
            let object = value.object ?? value.array?.first?.object,
            ErrorReport.isError(object, byWordsAlone: byWordsAlone)
        else { return nil }
        self.init(of: value)
    }
}

// MARK: Recognition

extension ErrorReport {
    /// Returns whether a document is an error instead of a response or a stream event. Many servers send errors with
    /// status 200 and without an `error` member.
    ///
    /// - Parameter byWordsAlone: Whether a document that has only a message counts as an error too.
    static func isError(_ document: JSONObject, byWordsAlone: Bool = true) -> Bool {
        if isPresent(document["error"]) { return true }
        // Every chunk of a stream takes this path.
        if let choices = document["choices"]?.array, !choices.isEmpty { return false }
        guard !holdsResponse(document) else { return false }
        if document["object"] == "error" || document["type"] == "error" { return true }
        if document["success"] == false || document["ok"] == false || isPresent(document["errors"]) { return true }
        // MiniMax repeats its status in every chunk.
        if let status = document["base_resp"]?["status_code"]?.integer, status != 0 { return true }
        guard !isPresent(document["usage"]), hasWords(document) else { return false }
        return hasFailureCode(document) || (byWordsAlone && isOnlyWords(document))
    }

    /// Members of responses and of their events. In an error they are missing or empty.
    private static let responseMembers = [
        "choices", "output", "output_text", "content", "candidates", "data", "results", "text", "embeddings",
        "embedding", "input_tokens", "delta", "content_block", "response", "item", "part", "images", "segments",
        "token", "tokens",
    ]

    private static func holdsResponse(_ document: JSONObject) -> Bool {
        for member in document.members where isPresent(member.value) {
            switch member.name {
            // Errors in an envelope have an object in `data`.
            case "data": if member.value.array != nil { return true }
            case "message":
                guard let message = member.value.object else { continue }
                if message["role"] != nil || message["content"] != nil { return true }
            case let name: if responseMembers.contains(name) { return true }
            }
        }
        return false
    }

    /// Returns whether a document is certainly a response, by a few members and without allocating. Long documents are
    /// lists of vectors, images or transcript segments.
    private static func holdsResponse(_ document: UnsafeRawBufferPointer) -> Bool {
        var cursor = JSONCursor(document)
        do throws(JSONError) {
            guard case .object = try cursor.kind() else { return false }
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                if cursor.equals(key, "error") { return false }
                let isList =
                    cursor.equals(key, "data") || cursor.equals(key, "results") || cursor.equals(key, "segments")
                    || cursor.equals(key, "text") || cursor.equals(key, "output") || cursor.equals(key, "content")
                let value = try cursor.skipValue()
                let first = cursor.bytes(in: value).first
                // A value of two bytes is an empty list or string.
                if isList, first == UInt8(ascii: "[") || first == UInt8(ascii: "\""), value.count > 2 { return true }
            }
        } catch {
            return false
        }
        return false
    }

    private static let codeMembers = [
        "code", "status", "status_code", "statusCode", "error_code", "errorCode", "errcode", "err_code",
    ]

    private static func hasFailureCode(_ document: JSONObject) -> Bool {
        codeMembers.contains { name in
            guard let value = document[name] else { return false }
            if let number = value.integer ?? value.string.flatMap({ Int($0) }) {
                // `status` also has other meanings, such as the state of a job.
                return name == "status" ? (400..<600).contains(number) : number != 0 && !(200..<300).contains(number)
            }
            guard let word = value.string?.lowercased(), !word.isEmpty else { return false }
            if name == "status" { return ["error", "fail", "failed", "failure"].contains(word) }
            return !["ok", "success", "succeeded"].contains(word)
        }
    }

    /// Returns whether the document has a message and nothing that an event of another kind would have.
    private static func isOnlyWords(_ document: JSONObject) -> Bool {
        if ["error_description", "error_message", "error_msg", "errorMessage"].contains(where: {
            isPresent(document[$0])
        }) {
            return true
        }
        if let type = document["type"]?.string?.lowercased(), !type.isEmpty {
            if type.contains("error") || type.contains("exception") { return true }
            return isPresent(document["title"]) && isPresent(document["detail"])
        }
        if isPresent(document["detail"]) { return true }
        guard ["message", "msg", "Message"].contains(where: { isPresent(document[$0]) }) else { return false }
        // A code here would be that of a success.
        return !(codeMembers + ["id", "object", "event", "model", "choices", "role"]).contains { document[$0] != nil }
    }

    /// Returns whether a value is neither null nor false nor empty.
    static func isPresent(_ value: JSONValue?) -> Bool {
        switch value {
        case nil, .null?, .bool(false)?, .string("")?, .array([])?: false
        case .object(let object)?: !object.members.isEmpty
        default: true
        }
    }
}

// MARK: Reasons

extension ErrorReport {
    /// Returns whether a finish reason means failure, by the words of OpenRouter, DeepSeek and Z.ai.
    package static func isFailure(reason: String) -> Bool {
        switch reason {
        case "error", "insufficient_system_resource", "network_error": true
        default: false
        }
    }
}
