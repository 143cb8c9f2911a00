internal import HTTPTypes
internal import HeadgateHTTP

/// A text to be read aloud.
public struct SpeechRequest: Hashable, Sendable {
    /// A model by its public name.
    public var model: String
    /// The text to read aloud.
    public var text: String
    /// The provider's name of the voice, such as `alloy`.
    public var voice: String
    /// The form of the sound, such as `mp3` or `wav`.
    public var format: String?
    /// Speed from 0.25 to 4; nil means 1.
    public var speed: Double?
    /// Further members of the request. They win over the ones above.
    public var additional: [String: JSONValue]

    /// A request for sound.
    public init(
        model: String, text: String, voice: String, format: String? = nil, speed: Double? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.model = model
        self.text = text
        self.voice = voice
        self.format = format
        self.speed = speed
        self.additional = additional
    }

    var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "model": .string(model), "input": .string(text), "voice": .string(voice),
        ]
        members["response_format"] = format.map(JSONValue.string)
        members["speed"] = speed.map(JSONValue.number)
        return members.merging(additional) { _, mine in mine }
    }
}

/// A text read aloud.
public struct Speech: Hashable, Sendable {
    /// The sound's media type, such as `audio/mpeg`.
    public var contentType: String
    /// The sound.
    public var bytes: [UInt8]
}

/// A text read aloud, as it comes, so that it may be heard from its first sound on. Each loop sends the request once.
///
/// - Throws: ``HeadgateClientError``; ``HeadgateClientError/streamTruncated(_:)`` where the sound breaks off.
public struct SpeechStream: AsyncSequence, Sendable {
    /// A piece of the sound.
    public typealias Element = [UInt8]

    let send: @Sendable () async throws -> (HTTPResponse, HTTPBody?)

    /// A loop over the sound, for one task.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(send: send) }

    /// The place in a sound.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let send: @Sendable () async throws -> (HTTPResponse, HTTPBody?)
        private var reader: BodyReader?

        init(send: @escaping @Sendable () async throws -> (HTTPResponse, HTTPBody?)) { self.send = send }

        /// The next piece; nil after the last.
        ///
        /// - Throws: as ``SpeechStream`` does.
        public mutating func next() async throws -> [UInt8]? {
            if reader == nil { reader = BodyReader(try await send().1) }
            do {
                return try await reader?.next()
            } catch let error as TransportError where error.kind == .truncatedBody {
                throw HeadgateClientError.streamTruncated(error)
            } catch {
                throw HeadgateClientError.translate(error)
            }
        }
    }
}
