/// Returns one event of a stream, in the form that every provider uses.
package func sseData(_ data: String) -> String { "data: \(data)\n\n" }

/// The data of an event, with its name and its id if it has them.
package struct ReceivedEvent: Sendable, Equatable {
    package var id: String?
    package var name: String?
    package var data: String
}

/// Splits a stream into events at LF LF. It requires well-formed input; parsing is tested elsewhere.
struct EventCutter {
    private var bytes: [UInt8] = []
    private var scanned = 0

    mutating func append(_ chunk: [UInt8]) { bytes.append(contentsOf: chunk) }

    /// Returns the next event with data; nil if more bytes are needed.
    mutating func next() -> ReceivedEvent? {
        while let end = blankLine() {
            let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n")
            bytes.removeFirst(end + 2)
            scanned = 0
            let data = lines.filter { $0.hasPrefix("data:") }.map { EventCutter.value($0, after: "data:") }
            let name = lines.last { $0.hasPrefix("event:") }.map { EventCutter.value($0, after: "event:") }
            let id = lines.last { $0.hasPrefix("id:") }.map { EventCutter.value($0, after: "id:") }
            if !data.isEmpty { return ReceivedEvent(id: id, name: name, data: data.joined(separator: "\n")) }
        }
        return nil
    }

    private mutating func blankLine() -> Int? {
        while scanned + 1 < bytes.count {
            if bytes[scanned] == 0x0A, bytes[scanned + 1] == 0x0A { return scanned }
            scanned += 1
        }
        return nil
    }

    private static func value(_ line: Substring, after name: String) -> String {
        let value = line.dropFirst(name.count)
        return String(value.first == " " ? value.dropFirst() : value)
    }
}
