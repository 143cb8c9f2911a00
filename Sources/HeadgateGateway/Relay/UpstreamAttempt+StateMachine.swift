extension UpstreamAttempt {
    /// What comes after what in an attempt: decides, and has no effect of its own.
    struct StateMachine {
        /// What a good response is to be.
        enum Expectation {
            case document
            case events
            /// Events, or a document where the upstream sends one: its content type says which.
            case eventsOrDocument
            /// Octets of some media type.
            case media
        }

        /// What a body is collected for.
        enum Purpose {
            case document
            /// What an upstream says beside a status that is none of success.
            case error
            /// What an upstream says in place of the octets that it was asked for.
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
            /// Start the body, which must turn out to be events.
            case open
            /// Hand the octets on as they come.
            case passMedia
            /// The document is all there.
            case read(onSideThread: Bool)
            /// Say what the upstream reported.
            case report(Purpose)
            case respond
            case fail
            /// The upstream has promised a body and sent none.
            case failWithoutBody
        }

        private(set) var phase = Phase.preparing
        private var expectation = Expectation.document

        /// Octets of a whole document; streams have no such cap.
        static let longestDocument = 64 << 20
        static let longestError = 64 << 10

        /// The request goes out.
        mutating func send(expecting expectation: Expectation) {
            self.expectation = expectation
            phase = .sending
        }

        /// The head has come.
        ///
        /// - Parameters:
        ///   - hasBody: whether a body follows.
        ///   - type: what the content type says, where it matters (``decidesByType``).
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
            }
        }

        enum ContentType { case events, media, other }

        /// Whether the response's content type says what it is.
        var decidesByType: Bool { expectation == .eventsOrDocument || expectation == .media }

        private mutating func collect(_ purpose: Purpose) -> Action {
            phase = .collecting(purpose)
            let limit = purpose == .document ? StateMachine.longestDocument : StateMachine.longestError
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
            return .read(onSideThread: octets > LongDocument.octets)
        }

        /// The document is read, or the events have begun.
        mutating func succeed() -> Action { finish(.respond) }

        /// Whatever went on has failed.
        mutating func fail() -> Action { finish(.fail) }

        private mutating func finish(_ action: Action) -> Action {
            guard phase != .over else { return .nothing }
            phase = .over
            return action
        }
    }
}
