internal import JSONBytes

// Members of requests that must be of one kind, with their path in the request.
extension JSONValue {
    func requireString(_ member: @autoclosure () -> String) throws(TranslationError) -> String {
        guard let string else { throw .wrongKind(member(), "a string") }
        return string
    }

    func requireBool(_ member: @autoclosure () -> String) throws(TranslationError) -> Bool {
        guard let bool else { throw .wrongKind(member(), "true or false") }
        return bool
    }

    func requireInteger(_ member: @autoclosure () -> String) throws(TranslationError) -> Int {
        guard let integer else { throw .wrongKind(member(), "a whole number") }
        return integer
    }

    func requireArray(_ member: @autoclosure () -> String) throws(TranslationError) -> [JSONValue] {
        guard let array else { throw .wrongKind(member(), "an array") }
        return array
    }

    func requireObject(_ member: @autoclosure () -> String) throws(TranslationError) -> JSONObject {
        guard let object else { throw .wrongKind(member(), "an object") }
        return object
    }
}

extension JSONObject {
    func requireString(_ name: String, in path: @autoclosure () -> String) throws(TranslationError) -> String {
        guard let value = self[name], !value.isNull else { throw .missing("\(path()).\(name)") }
        return try value.requireString("\(path()).\(name)")
    }

    /// Returns a string member; nil if it is missing or null.
    func string(_ name: String, in path: @autoclosure () -> String) throws(TranslationError) -> String? {
        guard let value = present(name) else { return nil }
        return try value.requireString("\(path()).\(name)")
    }

    /// Returns a member; nil if it is missing or null.
    func present(_ name: String) -> JSONValue? {
        guard let value = self[name], !value.isNull else { return nil }
        return value
    }
}

extension TranslationError {
    static func wrongKind(_ member: String, _ kind: String) -> TranslationError {
        TranslationError("'\(member)' must be \(kind).", member: member)
    }

    static func missing(_ member: String) -> TranslationError {
        TranslationError("'\(member)' is missing.", member: member)
    }

    /// Returns the error for a member that refers to history which only the provider can read.
    ///
    /// - Parameter type: Value of the member, if it names the kind of an item.
    static func historyElsewhere(
        _ member: String, _ type: String? = nil, in format: WireFormat
    ) -> TranslationError {
        let subject = type.map { "'\(member)' is '\($0)', which" } ?? "'\(member)'"
        return TranslationError(
            "\(subject) refers to history that only the provider can read: send the conversation itself, or use a "
                + "model whose upstream speaks \(format.title).", member: member)
    }
}

extension JSONObject {
    /// - Parameter body: Body of a request.
    static func request(_ body: [UInt8]) throws(TranslationError) -> JSONObject {
        do throws(JSONError) {
            if let object = try JSONValue(body).object { return object }
        } catch {
            guard error.kind == .tooManyMembers else { throw TranslationError("The request is refused: \(error).") }
            throw TranslationError(
                "The request has more than \(JSONValue.mostValues) values, which are not translated: send less at a "
                    + "time."
            )
        }
        throw TranslationError("The request body is not a JSON object.")
    }
}
