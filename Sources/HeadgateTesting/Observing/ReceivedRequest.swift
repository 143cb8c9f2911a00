/// A request as the scripted upstream saw it.
package struct ReceivedRequest: Sendable {
    /// Counts from 0 in order of arrival; what events call it by.
    package let index: Int
    /// Requests with the same number came over the same connection. In process every request has its own.
    package let connection: Int
    package let method: String
    /// With its query.
    package let path: String
    /// `Host` first, the rest in order.
    package let headers: HeaderLines
    package let body: [UInt8]
    /// The name, or the place in the script, of the exchange that fitted; nil if none did.
    package internal(set) var exchange: String?

    package var text: String { String(decoding: body, as: UTF8.self) }
}
