extension UpstreamAttempt {
    /// The state machine of an attempt; pure.
    package struct StateMachine {
        /// The kind of a successful response.
        package enum Expectation {
            case document
            case events
            /// Events, or a document where the upstream sends one: its content type says which.
            case eventsOrDocument
            /// Octets of some media type.
            case media
            /// Events, text or a document: the content type says which.
            case anything
        }

        /// Why a body is collected.
        package enum Purpose {
            case document
            /// The body of a response that is not a success.
            case error
            /// A document in place of media, such as an error.
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

        package enum Action: Equatable {
            case nothing
            case collect(Purpose, upTo: Int)
            /// Start the body as an event stream.
            case open
            /// Relay the octets as they come.
            case passMedia
            /// Read the complete document.
            case read(onSideThread: Bool)
            /// Report the error of the upstream.
            case report(Purpose)
            case respond
            case fail
            /// Report a response without the body that it needs.
            case failWithoutBody
        }

        private(set) var phase = Phase.preparing
        private var expectation = Expectation.document

        /// Validators repeat what is wrong with a request, which may be the whole prompt.
        static let longestError = 256 << 10

        /// The request goes out.
        package mutating func send(expecting expectation: Expectation) {
            self.expectation = expectation
            phase = .sending
        }

        /// The head has come.
        ///
        /// - Parameters:
        ///   - hasBody: whether a body follows.
        ///   - type: the kind of the content type, where it matters (``decidesByType``).
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

        /// The body has been collected: of an error, as much of it as came.
        mutating func collected(_ octets: Int) -> Action {
            guard case .collecting(let purpose) = phase else { return .nothing }
            guard purpose == .document else { return finish(.report(purpose)) }
            phase = .reading
            return .read(onSideThread: octets > LongDocument.threshold)
        }

        /// The document is read, or the events have begun.
        mutating func succeed() -> Action { finish(.respond) }

        /// The current step has failed.
        package mutating func fail() -> Action { finish(.fail) }

        private mutating func finish(_ action: Action) -> Action {
            guard phase != .over else { return .nothing }
            phase = .over
            return action
        }
    }
}
