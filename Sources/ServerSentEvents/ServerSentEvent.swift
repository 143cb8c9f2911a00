/// One event with its own storage, for callers that store it: clients and tests, never the relay.
///
/// Invalid UTF-8 is repaired to U+FFFD, one per maximal subpart.
package struct ServerSentEvent: Equatable, Sendable {
    /// `message` when the stream named none.
    package var event: String
    package var data: String
    /// The last event id in force at the event.
    package var id: String

    package init(event: String = "message", data: String, id: String = "") {
        self.event = event
        self.data = data
        self.id = id
    }

    package init(_ view: ServerSentEventView) {
        event = view.name.isEmpty ? "message" : String(decoding: view.name, as: UTF8.self)
        data = String(decoding: view.data, as: UTF8.self)
        id = String(decoding: view.lastEventID, as: UTF8.self)
    }
}

/// One dispatched event, borrowed: the three buffers are valid only during the call that hands the view over.
package struct ServerSentEventView {
    /// The bytes of the `event` field; empty means `message`. Never holds CR or LF.
    package let name: UnsafeRawBufferPointer
    /// The data lines joined with LF, as they came: not checked for UTF-8.
    package let data: UnsafeRawBufferPointer
    /// The last event id in force at this event, which an earlier event may have set.
    package let lastEventID: UnsafeRawBufferPointer
    /// At least 1. With exactly 1 there is neither CR nor LF in `data`.
    package let dataLineCount: Int

    /// Whether the event carries this name; `message` also matches an event without one.
    package func isNamed(_ expected: StaticString) -> Bool {
        let wanted = UnsafeRawBufferPointer(start: expected.utf8Start, count: expected.utf8CodeUnitCount)
        return name.isEmpty ? wanted.elementsEqual("message".utf8) : name.elementsEqual(wanted)
    }
}
