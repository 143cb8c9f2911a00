extension UpstreamAttempt {
    /// State machine of an attempt; pure.
    struct StateMachine {
        /// Kind of a successful response.
        enum Expectation {
            case document
            case events
            /// Events or a document, depending on the content type.
            case eventsOrDocument
            /// Bytes of some media type.
            case media
            /// Events, text or a document, depending on the content type.
            case anything
        }

        /// Reason for collecting a body.
        enum Purpose {
            case document
            /// Body of an unsuccessful response.
            case error
            /// Document instead of media, such as an error.
            case notMedia
        }

        enum Phase: Equatable {
            case preparing
            case sending
            case collecting(Purpose)
            case opening
            case reading
            case over
        }

        enum Action: Equatable {
            case nothing
            case collect(Purpose, upTo: Int)
            /// Starts the body as an event stream.
            case open
            /// Relays the bytes unchanged.
            case passMedia
            /// Reads the complete document.
            case read(onSideThread: Bool)
            /// Reports the error of the upstream.
            case report(Purpose)
            case respond
            case fail
            /// Reports that the response lacks the body that it needs.
            case failWithoutBody
        }

        private(set) var phase = Phase.preparing
        private var expectation = Expectation.document

        /// Maximum number of bytes of an error. Validators repeat the invalid part of a request, which can be the whole
        /// prompt.
        static let longestError = 256 << 10

        /// Records that the request is sent.
        mutating func send(expecting expectation: Expectation) {
            self.expectation = expectation
            phase = .sending
        }

        /// Records that the head has arrived.
        ///
        /// - Parameters:
        ///   - hasBody: whether a body follows.
        ///   - type: the kind of the content type, if it matters (``decidesByType``).
        mutating func receiveHead(status: Int, hasBody: Bool, type: ContentType) -> Action {
            guard phase == .sending else { return .nothing }
            guard (200..<300).contains(status) else { return collect(.error) }
            switch expectation {
            case .document: return collect(.document)
            case .events: return open(hasBody)
            case .eventsOrDocument: return type == .events ? open(hasBody) : collect(.document)
            case .media:
                guard type == .media, hasBody else { return collect(.notMedia) }
                phase = .over
                return .passMedia
            case .anything:
                if type == .events { return open(hasBody) }
                guard type == .text, hasBody else { return collect(.document) }
                phase = .over
                return .passMedia
            }
        }

        enum ContentType { case events, media, text, other }

        /// Whether the content type decides between a stream and a document.
        var decidesByType: Bool { expectation != .document && expectation != .events }

        private mutating func collect(_ purpose: Purpose) -> Action {
            phase = .collecting(purpose)
            let limit = purpose == .document ? LongDocument.most : StateMachine.longestError
            return .collect(purpose, upTo: limit)
        }

        private mutating func open(_ hasBody: Bool) -> Action {
            phase = hasBody ? .opening : .over
            return hasBody ? .open : .failWithoutBody
        }

        /// Records that the body has been collected. The body of an error can be incomplete.
        mutating func collected(_ octets: Int) -> Action {
            guard case .collecting(let purpose) = phase else { return .nothing }
            guard purpose == .document else { return finish(.report(purpose)) }
            phase = .reading
            return .read(onSideThread: octets > LongDocument.threshold)
        }

        /// Records that the document is read, or the events have begun.
        mutating func succeed() -> Action { finish(.respond) }

        /// Records that the current step has failed.
        mutating func fail() -> Action { finish(.fail) }

        private mutating func finish(_ action: Action) -> Action {
            guard phase != .over else { return .nothing }
            phase = .over
            return action
        }
    }
}
