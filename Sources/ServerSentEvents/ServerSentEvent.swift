/// One event with storage of its own, for callers that keep it: clients and tests, never the relay.
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
