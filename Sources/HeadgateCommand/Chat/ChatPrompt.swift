import HeadgateClient
import HeadgatePrimitives
import HeadgateService
import HeadgateTerminal

/// A prompt: a text and attached files.
struct ChatPrompt {
    static let mostFiles = 10
    private static let mostBytes = 22 << 20

    let text: String
    let files: [AttachedFile]

    init(_ text: String, files: [AttachedFile] = []) {
        self.text = text
        self.files = files
    }

    /// Content for the model. It is plain text if all files are texts, because not every server supports parts.
    var content: MessageContent {
        let parts = files.map(\.part)
        let texts = parts.compactMap { part -> String? in if case .text(let text) = part { text } else { nil } }
        let own = text.allSatisfy(\.isWhitespace) ? [] : [text]
        guard texts.count < parts.count else { return .text((texts + own).joined(separator: "\n\n")) }
        return .parts(parts + own.map { .text($0) })
    }

    /// Checks the number and the total size of files.
    ///
    /// - Throws: ``Complaint`` if they exceed the limits of one prompt.
    static func check(_ files: [AttachedFile]) throws {
        guard files.count <= mostFiles else { throw Complaint("at most \(mostFiles) files go with a prompt") }
        guard files.reduce(0, { $0 + $1.bytes.count }) <= mostBytes else {
            throw Complaint("together the files are larger than \(mostBytes >> 20) MiB")
        }
    }
}

/// A file that is sent with a prompt.
struct AttachedFile {
    private static let mostBytesOfImage = 10 << 20
    private static let mostBytesOfPDF = 20 << 20
    private static let mostBytesOfText = 1 << 20

    let name: String
    /// Media type.
    let type: String
    let bytes: [UInt8]

    /// Reads a file.
    ///
    /// - Throws: ``Complaint`` if it cannot be sent with a prompt.
    init(readingFrom typed: String) throws {
        let path = RegularFile.path(typed)
        let bytes = try RegularFile.read(path, upTo: AttachedFile.mostBytesOfPDF)
        try self.init(name: path.split(separator: "/").last.map { String($0) } ?? path, bytes)
    }

    /// - Throws: As ``init(readingFrom:)`` does.
    init(name: String, _ bytes: [UInt8]) throws {
        let name = Neutralised.line(name)
        guard !bytes.isEmpty else { throw Complaint("\(name) is empty") }
        switch AttachedContent(bytes) {
        case .image(let type)?:
            guard bytes.count <= AttachedFile.mostBytesOfImage else {
                throw Complaint("\(name) is larger than \(AttachedFile.mostBytesOfImage >> 20) MiB")
            }
            self.type = type
        case .pdf?: type = "application/pdf"
        case .text?:
            guard bytes.count <= AttachedFile.mostBytesOfText else {
                throw Complaint("\(name) is larger than \(AttachedFile.mostBytesOfText >> 20) MiB, too much for a text")
            }
            type = "text/plain"
        case nil:
            throw Complaint("\(name) cannot be sent: pictures (PNG, JPEG, WebP, GIF), PDF and texts in UTF-8 can")
        }
        self.name = String(name.prefix(255))
        self.bytes = bytes
    }

    var isPDF: Bool { type == "application/pdf" }

    fileprivate var part: MessageContent.Part {
        if isPDF {
            let address = "data:\(type);base64,\(Base64.encode(bytes))"
            return .other(["type": "file", "file": ["filename": .string(name), "file_data": .string(address)]])
        }
        guard type.hasPrefix("image/") else {
            return .text(AttachedContent.fenced(String(decoding: bytes, as: UTF8.self), name: name))
        }
        return .image(url: "data:\(type);base64,\(Base64.encode(bytes))")
    }

    /// Description such as `sky.png (image/png, 12 KiB)`.
    var summary: String {
        let size = bytes.count < 1024 ? "\(bytes.count) bytes" : "\((bytes.count + 1023) / 1024) KiB"
        return "\(name) (\(type), \(size))"
    }
}
