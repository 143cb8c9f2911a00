/// A part of a multipart form that the document names.
public struct MultipartPart<Payload> {
    /// Headers and content.
    public var payload: Payload
    /// Name of the file, if the part is a file.
    public var filename: String?

    /// Creates a part. With a file name, it is a file.
    public init(payload: Payload, filename: String? = nil) {
        self.payload = payload
        self.filename = filename
    }
}

extension MultipartPart: Equatable where Payload: Equatable {}
extension MultipartPart: Hashable where Payload: Hashable {}
extension MultipartPart: Sendable where Payload: Sendable {}

/// A part of a multipart form that can have any name.
public struct MultipartDynamicallyNamedPart<Payload> {
    /// Headers and content.
    public var payload: Payload
    /// Name of the file, if the part is a file.
    public var filename: String?
    /// Name of the part. A part without a name cannot be sent.
    public var name: String?

    /// Creates a part. With a file name, it is a file.
    public init(payload: Payload, filename: String? = nil, name: String? = nil) {
        self.payload = payload
        self.filename = filename
        self.name = name
    }
}

extension MultipartDynamicallyNamedPart: Equatable where Payload: Equatable {}
extension MultipartDynamicallyNamedPart: Hashable where Payload: Hashable {}
extension MultipartDynamicallyNamedPart: Sendable where Payload: Sendable {}

/// A part of a multipart form as it is transmitted.
public struct MultipartRawPart {
    /// Name of the part. A part without a name cannot be sent.
    public var name: String?
    /// Name of the file, if the part is a file.
    public var filename: String?
    /// Headers except `Content-Disposition`, which is derived from the names.
    public var headerFields: HTTPFields
    /// Content of the part.
    public var body: HTTPBody

    /// Creates a part. With a file name, it is a file.
    public init(name: String?, filename: String? = nil, headerFields: HTTPFields = [:], body: HTTPBody) {
        self.name = name
        self.filename = filename
        self.headerFields = headerFields
        self.body = body
    }

    /// Creates a part with content of a media type, which is nil for plain text.
    public init(name: String?, filename: String?, body: HTTPBody, contentType: String?) {
        self.init(
            name: name, filename: filename, headerFields: contentType.map { [.contentType: $0] } ?? [:], body: body)
    }

    /// Creates a part with JSON.
    ///
    /// - Throws: An error of encoding.
    public init(name: String?, filename: String?, json: some JSONWritable, contentType: String) throws {
        self.init(name: name, filename: filename, body: .bytes(try JSONBody.write(json)), contentType: contentType)
    }

    /// Decodes the content, which must be collected before.
    ///
    /// - Throws: An error of decoding.
    public func json<Value: Decodable>() throws -> Value {
        guard case .bytes(let bytes) = body else {
            throw MultipartFormError("The content of the part '\(name ?? "")' was not collected.")
        }
        return try JSONBody.decode(bytes)
    }

    /// Returns a header; nil also if its value has another type.
    public func header<Value: ParameterValue>(_ name: HTTPField.Name) -> Value? {
        headerFields.first(name).flatMap(Value.init(parameterText:))
    }

    /// Sets a header; nil changes nothing.
    public mutating func set(_ name: HTTPField.Name, _ value: (some ParameterValue)?) {
        guard let value else { return }
        headerFields[name] = value.parameterText
    }
}

/// The parts of a multipart form. Generated enumerations conform to it.
public protocol MultipartFormPart {
    /// Rules for the parts of a whole form.
    static var rules: MultipartRules { get }

    /// - Throws: An error of decoding.
    init(decoding part: MultipartRawPart) throws
    /// - Throws: An error of encoding.
    func encoded() throws -> MultipartRawPart
}

/// Rules for the parts of a form in the document.
public struct MultipartRules: Sendable {
    /// Parts whose names are not in the document.
    public enum Others: Sendable {
        /// No such parts are allowed.
        case none
        case bytes
        case json
    }

    /// Names of the parts that a form must contain.
    let required: [String]
    /// Names of the parts that a form can contain only once.
    let single: Set<String>
    /// Names of the parts that can be repeated.
    let repeated: Set<String>
    /// Names of the parts with JSON, which are collected before they are decoded.
    let json: Set<String>
    let others: Others

    /// Creates the rules of a form.
    public init(
        required: [String] = [], single: Set<String> = [], repeated: Set<String> = [], json: Set<String> = [],
        others: Others
    ) {
        self.required = required
        self.single = single
        self.repeated = repeated
        self.json = json
        self.others = others
    }

    private func isKnown(_ name: String) -> Bool { single.contains(name) || repeated.contains(name) }

    /// Returns whether a part is collected before it is decoded.
    func isJSON(_ name: String) -> Bool { isKnown(name) ? json.contains(name) : others == .json }

    /// Returns a description of how the next part's name violates the rules; nil if it does not.
    func problem(with name: String?, after seen: inout Set<String>) -> String? {
        guard let name, !name.isEmpty else { return "A part has no name." }
        if others == .none, !isKnown(name) { return "The form has no part '\(name)'." }
        let isFirst = seen.insert(name).inserted
        return isFirst || !single.contains(name) ? nil : "The part '\(name)' occurs twice."
    }

    /// Returns a description of a missing part at the end; nil if none is missing.
    func problem(atEndAfter seen: Set<String>) -> String? {
        required.first { !seen.contains($0) }.map { "The part '\($0)' is missing." }
    }
}

/// A multipart form that violates the document or the format.
public struct MultipartFormError: Error, Equatable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }

    /// Error for a part whose name the document does not allow.
    public static func unknownPart(_ name: String?) -> Self { .init("The form has no part '\(name ?? "")'.") }
}
