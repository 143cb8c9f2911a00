/// A multipart form with files, as a body (RFC 7578).
struct MultipartForm {
    let boundary: String
    private(set) var bytes: [UInt8] = []

    /// - Parameter boundary: Text that occurs in none of the values, such as a random one of 128 bits.
    init(boundary: String = MultipartForm.randomBoundary()) { self.boundary = boundary }

    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        begin(name)
        append("\r\n\r\n\(value)\r\n")
    }

    mutating func add(_ name: String, _ file: UploadedFile?) {
        guard let file else { return }
        begin(name)
        append("; filename=\"\(MultipartForm.quoted(file.name))\"\r\n")
        append("Content-Type: \(MultipartForm.line(file.contentType))\r\n\r\n")
        bytes += file.bytes
        append("\r\n")
    }

    mutating func add(_ members: [String: JSONValue]) throws {
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            if case .string(let text) = value {
                add(name, text)
            } else {
                add(name, String(decoding: try JSONCoding.encode(value), as: UTF8.self))
            }
        }
    }

    /// The complete form.
    var whole: [UInt8] { bytes + Array("--\(boundary)--\r\n".utf8) }

    private mutating func begin(_ name: String) {
        append("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(MultipartForm.quoted(name))\"")
    }

    private mutating func append(_ text: String) { bytes += text.utf8 }

    /// Returns a name in the form that browsers use: it can end neither its line nor its quotes.
    private static func quoted(_ text: String) -> String {
        // A quote with a combining mark is a different character, but still ends the quotes.
        text.unicodeScalars.reduce(into: "") { quoted, scalar in
            switch scalar {
            case "\r": quoted += "%0D"
            case "\n": quoted += "%0A"
            case "\"": quoted += "%22"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
    }

    private static func line(_ text: String) -> String { text.filter { !$0.isNewline } }

    static func randomBoundary() -> String {
        let numbers = (0..<2).map { _ in String(UInt64.random(in: UInt64.min...UInt64.max), radix: 36) }
        return "headgate-" + numbers.joined(separator: "-")
    }
}

/// A file that is uploaded with a request.
public struct UploadedFile: Hashable, Sendable {
    /// Name, such as `speech.wav`. Many servers derive the type from its extension.
    public var name: String
    /// Media type, such as `audio/wav`.
    public var contentType: String
    /// Contents of the file.
    public var bytes: [UInt8]

    /// Creates a file in memory.
    public init(name: String, contentType: String = "application/octet-stream", bytes: [UInt8]) {
        self.name = name
        self.contentType = contentType
        self.bytes = bytes
    }
}
