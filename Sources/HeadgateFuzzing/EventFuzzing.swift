internal import ServerSentEvents

/// Compares the parser of server-sent events with the simplest implementation of the standard, for all ways of
/// delivery.
enum EventFuzzing {
    private struct Event: Equatable {
        var name: [UInt8] = []
        var data: [UInt8]
        var id: [UInt8]
    }

    private struct Trace: Equatable {
        var events: [Event] = []
        /// The event without its blank line, which the standard drops at the end.
        var pending: Event?
        var retry: Int?
        var comments = 0
    }

    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        let expected = reference(input)
        for splitting in Splitting.allCases {
            let found = read(input, splitting)
            try FuzzFinding.expect(found == expected, "\(splitting):\n\(found)\n\(expected)")
        }
    }

    private static func read(_ input: [UInt8], _ splitting: Splitting) -> Trace {
        var (parser, trace) = (ServerSentEventParser(), Trace())
        func event(_ view: ServerSentEventView) -> Event {
            Event(name: Array(view.name), data: Array(view.data), id: Array(view.lastEventID))
        }
        do {
            var failure: (any Error)?
            splitting.deliver(input) { bytes in
                do { try parser.parse(bytes) { trace.events.append(event($0)) } } catch { failure = error }
                return failure == nil
            }
            if let failure { throw failure }
            try parser.finish { trace.pending = event($0) }
        } catch {
            trace.events.append(Event(data: Array("\(error)".utf8), id: []))
        }
        (trace.retry, trace.comments) = (parser.retryMilliseconds, parser.commentCount)
        return trace
    }

    /// Implements the standard word for word, on all lines at once.
    private static func reference(_ input: [UInt8]) -> Trace {
        var (trace, line, lines) = (Trace(), [UInt8](), [[UInt8]]())
        var input = input[...]
        if input.starts(with: [0xEF, 0xBB, 0xBF]) { input = input.dropFirst(3) }
        var isAfterReturn = false
        for byte in input {
            if byte == 0x0A, isAfterReturn {
                isAfterReturn = false
                continue
            }
            isAfterReturn = byte == 0x0D
            if byte == 0x0A || byte == 0x0D {
                lines.append(line)
                line = []
            } else {
                line.append(byte)
            }
        }
        var (name, data, id, lastID) = ([UInt8](), [UInt8]?.none, [UInt8](), [UInt8]())
        func take(_ line: [UInt8]) {
            let colon = line.firstIndex(of: 0x3A) ?? line.count
            guard colon > 0 else {
                trace.comments += 1
                return
            }
            var value = line.dropFirst(colon + 1)
            if value.first == 0x20 { value = value.dropFirst() }
            switch String(decoding: line[..<colon], as: UTF8.self) {
            case "data": data = data.map { $0 + [0x0A] + value } ?? Array(value)
            case "event": name = Array(value)
            case "id": if !value.contains(0) { id = Array(value) }
            case "retry":
                guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
                trace.retry = Int(String(decoding: value, as: UTF8.self)) ?? .max
            default: break
            }
        }
        for line in lines {
            guard line.isEmpty else {
                take(line)
                continue
            }
            lastID = id
            if let data { trace.events.append(Event(name: name, data: data, id: lastID)) }
            (name, data) = ([], nil)
        }
        if !line.isEmpty { take(line) }
        if let data { trace.pending = Event(name: name, data: data, id: id) }
        return trace
    }
}
