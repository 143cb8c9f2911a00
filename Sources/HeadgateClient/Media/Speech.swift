internal import HTTPTypes
internal import HeadgateHTTP

/// A request for speech.
public struct SpeechRequest: Hashable, Sendable {
    /// Public name of a model.
    public var model: String
    /// The text to read aloud.
    public var text: String
    /// The provider's name of the voice, such as `alloy`.
    public var voice: String
    /// Audio format, such as `mp3` or `wav`.
    public var format: String?
    /// Speed from 0.25 to 4; nil means 1.
    public var speed: Double?
    /// Further members of the request. They take precedence over the properties above.
    public var additional: [String: JSONValue]

    /// Creates a request for speech.
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

/// Speech.
public struct Speech: Hashable, Sendable {
    /// Media type of the audio, such as `audio/mpeg`.
    public var contentType: String
    /// Bytes of the audio.
    public var bytes: [UInt8]
}

/// Speech as it arrives, so that playback can start early. Each iteration sends the request once.
///
/// - Throws: ``HeadgateClientError``; ``HeadgateClientError/streamTruncated(_:)`` if the audio is incomplete.
public struct SpeechStream: AsyncSequence, Sendable {
    /// A piece of the audio.
    public typealias Element = [UInt8]

    let send: @Sendable () async throws -> (HTTPResponse, HTTPBody?)

    /// Creates an iterator over the audio, for use in one task.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(send: send) }

    /// An iterator over the audio.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let send: @Sendable () async throws -> (HTTPResponse, HTTPBody?)
        private var reader: BodyReader?

        init(send: @escaping @Sendable () async throws -> (HTTPResponse, HTTPBody?)) { self.send = send }

        /// Returns the next piece of the audio; nil after the last.
        ///
        /// - Throws: As ``SpeechStream`` does.
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
