/// One event with its own storage, for clients and tests, which store events. The relay does not use it.
///
/// Invalid UTF-8 is replaced by U+FFFD, one for each maximal subpart.
package struct ServerSentEvent: Equatable, Sendable {
    /// The name of the event; `message` if the stream has none.
    package var event: String
    package var data: String
    /// The last event id that applies to the event.
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

/// One dispatched event, borrowed: the three buffers are valid only during the call that passes the view.
package struct ServerSentEventView {
    /// The bytes of the `event` field, which never include CR or LF; empty means `message`.
    package let name: UnsafeRawBufferPointer
    /// The data lines joined with LF, as they arrived: they are not checked for UTF-8.
    package let data: UnsafeRawBufferPointer
    /// The last event id that applies to this event, which an earlier event may have set.
    package let lastEventID: UnsafeRawBufferPointer
    /// The number of data lines, at least 1. If it is 1, `data` has neither CR nor LF.
    package let dataLineCount: Int

    /// Returns whether the event has this name; `message` also matches an event without one.
    package func isNamed(_ expected: StaticString) -> Bool {
        let wanted = UnsafeRawBufferPointer(start: expected.utf8Start, count: expected.utf8CodeUnitCount)
        return name.isEmpty ? wanted.elementsEqual("message".utf8) : name.elementsEqual(wanted)
    }
}
