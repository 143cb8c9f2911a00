import Foundation
import HeadgateEventLoop
import HeadgateGateway
import HeadgatePrimitives
import HeadgateRelay

/// A sink that stores the lines of an access log.
final class CollectedLines: LogSink {
    private let lines = Locked<[String]>([])

    func write(_ append: (inout LogLines) -> Void) {
        var line = LogLines()
        append(&line)
        lines.withLock { $0.append(String(decoding: line.bytes, as: UTF8.self)) }
    }

    var all: [String] { lines.withLock { $0 } }

    /// Returns the members of a line, each value as text.
    func members(of line: Int = 0) throws -> [String: String] {
        let object = try JSONSerialization.jsonObject(with: Data(all[line].utf8))
        return try (object as? [String: Any] ?? [:]).mapValues { value in
            if let text = value as? String { return text }
            return String(
                decoding: try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed), as: UTF8.self)
        }
    }
}
