extension ErrorReport {
    /// Reads the message and the codes of a document that is known to be an error.
    package init(of document: JSONValue) {
        self.init()
        switch document {
        case .object(let object): read(object)
        case .array(let list):
            if let object = list.first?.object, ErrorReport.isPresent(object["error"]) {
                read(object)
            } else {
                message = ErrorReport.words(document)
            }
        default: message = ErrorReport.words(document)
        }
    }

    private mutating func read(_ document: JSONObject) {
        // The error of a response can be inside the response or next to it.
        var label = ""
        for place in [document["response"]?["error"], document["error"], ErrorReport.choiceError(document)] {
            guard let place, ErrorReport.isPresent(place) else { continue }
            switch place {
            case .object(let object): readMembers(object)
            case .string(let text): if label.isEmpty { label = text }
            default: if message.isEmpty { message = ErrorReport.words(place, depth: 1) }
            }
        }
        let isWhole = !message.isEmpty
        if let status = document["base_resp"]?.object { readMembers(status) }
        if !isWhole { readMembers(document, isTop: true) }
        if !label.isEmpty { add(label) }
        readReason(document)
    }

    /// Adds the string in `error`, which is a code or a message.
    private mutating func add(_ label: String) {
        guard !message.isEmpty, message != label else {
            message = label
            return
        }
        if label.utf8.allSatisfy({ $0 == 0x5F || (0x61...0x7A).contains($0) }) {
            code = code ?? label
        } else {
            message = "\(label): \(message)"
        }
    }

    /// - Parameter isTop: Whether the object is the document itself, whose `type` can be that of the event.
    private mutating func readMembers(_ object: JSONObject, isTop: Bool = false) {
        if !isTop, let inner = object["error"]?.object, !inner.members.isEmpty { readMembers(inner) }
        if message.isEmpty { message = ErrorReport.words(of: object) }
        code = code ?? ErrorReport.name(object["code"] ?? object["error_code"] ?? object["status_code"])
        parameter = parameter ?? ErrorReport.name(object["param"])
        promptTokens = promptTokens ?? object["n_prompt_tokens"]?.integer
        context = context ?? object["n_ctx"]?.integer
        if type == nil, let name = ErrorReport.name(object["type"]) {
            let word = name.lowercased()
            let isOfError =
                word != "error" && !word.contains(".") && (word.contains("error") || word.contains("exception"))
            if !isTop || isOfError { type = name }
        }
        // OpenRouter puts the provider's own error there, as text or as JSON in a string.
        if let raw = object["metadata"]?["raw"]?.string, !raw.isEmpty {
            let said = (try? JSONValue(Array(raw.utf8))).map { ErrorReport(of: $0).message } ?? raw
            if !said.isEmpty { message = message.isEmpty ? said : "\(message): \(said)" }
        }
    }

    private static func choiceError(_ document: JSONObject) -> JSONValue? {
        document["choices"]?.array?.lazy.compactMap { $0["error"] }.first { isPresent($0) }
    }

    /// Reads a failure that a response reports only by its finish reason.
    private mutating func readReason(_ document: JSONObject) {
        guard message.isEmpty else { return }
        let reasons =
            (document["choices"]?.array ?? []).map { $0["finish_reason"] }
            + [document["stop_reason"], document["delta"]?["stop_reason"]]
        guard let reason = reasons.lazy.compactMap({ $0?.string }).first(where: { ErrorReport.isFailure(reason: $0) })
        else { return }
        message = "The upstream ended the response with the reason '\(reason)'."
        code = code ?? reason
    }

    /// Returns a string, the digits of a number, or the joined strings of a list.
    private static func name(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text)?: text.isEmpty ? nil : text
        case .number(let text)?: text
        case .array(let list)?: list.compactMap(\.string).joined(separator: ",")
        default: nil
        }
    }
}

// MARK: Words

extension ErrorReport {
    /// Members that hold a message, the most informative first.
    private static let wordMembers = [
        "message", "msg", "detail", "error_description", "error_message", "error_msg", "errorMessage", "status_msg",
        "errmsg", "err_msg", "Message", "description", "reason",
    ]

    private static let mostValues = 16
    private static let deepest = 6

    static func hasWords(_ object: JSONObject) -> Bool { (wordMembers + ["title"]).contains { isPresent(object[$0]) } }

    /// Returns the message of an object; empty if there is none.
    private static func words(of object: JSONObject, depth: Int = 0) -> String {
        var text = ""
        for name in wordMembers where text.isEmpty {
            if let value = object[name] { text = words(value, depth: depth + 1) }
        }
        // RFC 9457 members, and those that validators add to them.
        for (value, isBefore) in [(object["title"], true), (object["errors"], false)] {
            guard let value else { continue }
            let other = words(value, depth: depth + 1)
            guard !other.isEmpty, other != text else { continue }
            text = text.isEmpty ? other : isBefore ? "\(other): \(text)" : "\(text): \(other)"
        }
        if text.isEmpty, let details = object["details"] { text = words(details, depth: depth + 1) }
        return text
    }

    /// Returns the message in a value of any kind.
    private static func words(_ value: JSONValue, depth: Int = 0) -> String {
        guard depth <= deepest else { return "" }
        switch value {
        case .string(let text): return text
        case .number(let text): return depth == 1 ? text : ""
        case .array(let list):
            let texts = list.prefix(mostValues).map { words($0, depth: depth + 2) }
            return texts.filter { !$0.isEmpty }.joined(separator: "; ")
        case .object(let object):
            let text = words(of: object, depth: depth)
            return text.isEmpty ? pairs(object, depth: depth) : place(of: object) + text
        case .bool, .null: return ""
        }
    }

    /// Returns the location of the fault, as FastAPI and others report it.
    private static func place(of object: JSONObject) -> String {
        let steps = object["loc"]?.array ?? object["field"].map { [$0] } ?? []
        let names = steps.prefix(mostValues).compactMap(name)
        return names.isEmpty ? "" : names.joined(separator: ".") + ": "
    }

    /// Returns the messages of an object whose members are named after the invalid parameters. Leaves out the input,
    /// which validators add and which can be the whole prompt.
    private static func pairs(_ object: JSONObject, depth: Int) -> String {
        let others = object.members.filter { !["input", "ctx", "url", "type", "code", "loc"].contains($0.name) }
        let texts = others.prefix(mostValues).map { (name: $0.name, words: words($0.value, depth: depth + 2)) }
        return texts.filter { !$0.words.isEmpty }.map { "\($0.name): \($0.words)" }.joined(separator: "; ")
    }
}
