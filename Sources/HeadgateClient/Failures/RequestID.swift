internal import HTTPTypes
internal import HeadgateHTTP

/// The name that a server gives to a request, as far as it is fit for a log.
enum RequestID {
    static let limit = 128

    static func read(_ response: HTTPResponse) -> String? {
        response.headerFields.first(.xRequestID).flatMap(printable)
    }

    /// Visible ASCII alone: what the server says could otherwise end a line or command a terminal.
    static func printable(_ text: String) -> String? {
        let visible = text.utf8.lazy.filter { $0 > 0x20 && $0 < 0x7F }.prefix(limit)
        return visible.isEmpty ? nil : String(decoding: Array(visible), as: UTF8.self)
    }
}
