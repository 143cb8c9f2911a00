/// A file that goes to a server with a request.
public struct UploadedFile: Hashable, Sendable {
    /// Its name, by whose ending many servers tell what it is: `speech.wav`.
    public var name: String
    /// Its media type, such as `audio/wav`.
    public var contentType: String
    /// What it holds.
    public var bytes: [UInt8]

    /// A file in memory.
    public init(name: String, contentType: String = "application/octet-stream", bytes: [UInt8]) {
        self.name = name
        self.contentType = contentType
        self.bytes = bytes
    }
}
