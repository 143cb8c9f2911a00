internal import ServerSentEvents

/// Driver of the parser of event streams.
enum StreamDrivers {
    /// Events in pieces as a socket delivers them: most pieces split an event.
    private static let pieceSize = 16 << 10

    static let all = [
        Driver(
            name: "sse", unit: "stream of 1 MiB", result: Samples.eventStream.count / Samples.event.count
        ) { iterations in
            let bytes = Samples.eventStream
            return try repeating(iterations) {
                var parser = ServerSentEventParser()
                var events = 0
                try bytes.withUnsafeBytes { stream in
                    for start in stride(from: 0, to: stream.count, by: pieceSize) {
                        let piece = stream[start..<min(start + pieceSize, stream.count)]
                        try parser.parse(UnsafeRawBufferPointer(rebasing: piece)) { event in
                            if event.data.count == Samples.chunkDocument.count { events += 1 }
                        }
                    }
                }
                return events
            }
        }
    ]
}
