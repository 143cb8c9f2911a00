/// Runs one case with one way of sending it, and reports its faults.
struct HTTPVectorJudge: Sendable {
    let port: UInt16
    let placeholders: HTTPVectorPlaceholders
    let waits: HTTPVectorWaits

    /// Returns every fault, followed by the sent and received bytes; empty if the case passed. Blocks the thread.
    func failures(of vector: HTTPVector, way: HTTPVectorWay) -> [String] {
        do {
            let parts = try placeholders.expand(vector.parts.map(\.bytes))
            let exchange = try HTTPVectorExchange(port: port, waits: waits)
            var failures = send(parts, of: vector, way: way, on: exchange)
            do {
                try judge(exchange, against: vector.expectation, failures: &failures)
            } catch {
                failures.append("\(error)")
            }
            if failures.isEmpty { return [] }
            failures.append("sent \(exchange.sent.abbreviated(to: 480))")
            failures.append("received \(exchange.received.abbreviated(to: 480))")
            return failures
        } catch {
            return ["\(error)"]
        }
    }

    private func send(
        _ parts: [[UInt8]], of vector: HTTPVector, way: HTTPVectorWay, on exchange: HTTPVectorExchange
    ) -> [String] {
        var failures: [String] = []
        for (index, bytes) in parts.enumerated() {
            exchange.read(for: .milliseconds(vector.parts[index].delayMilliseconds))
            if index == vector.expectation.replyBeforePart, !exchange.readHead(within: waits.replyBeforePart) {
                failures.append("no answer before part \(index)")
            }
            guard exchange.send(bytes, way: way) else {
                return failures + ["the server stopped reading with the connection open"]
            }
        }
        if vector.finishesSending { exchange.finishSending() }
        return failures
    }

    private func judge(
        _ exchange: HTTPVectorExchange, against expectation: HTTPVectorExpectation, failures: inout [String]
    ) throws(WireFailure) {
        var mostRequests = expectation.mostRequests
        var isWaiting = false
        entries: for (index, expected) in expectation.answers.enumerated() {
            let next = try exchange.next(
                answersHead: expected.answersHead, allowsSilence: expected.allowed.contains(.wait))
            switch next {
            case .answer(let response):
                failures += HTTPVectorAnswerCheck(expected: expected, response: response).failures
                    .map { "answer \(index + 1): \($0)" }
            case .closed:
                if !expected.allowed.contains(.close) {
                    failures.append("the connection ended without answer \(index + 1), not one of \(expected.allowed)")
                }
                break entries
            case .silence:
                isWaiting = true
                break entries
            }
        }
        switch expectation.connection {
        case .close:
            if !exchange.readAnything(within: waits.close) { failures.append("the connection stays open") }
        case .keep where !isWaiting:
            failures += try probe(exchange)
            mostRequests += 1
        case .keep, .any:
            // After `wait`, the silence has already been observed.
            if !isWaiting { _ = exchange.readAnything(within: waits.quiet) }
        }
        if exchange.hasUnread {
            exchange.read(for: waits.quiet)
            failures.append("bytes after the last answer: \(exchange.unread.abbreviated(to: 120))")
            exchange.countUnread()
        }
        if exchange.finalCount > mostRequests {
            failures.append("\(exchange.finalCount) requests were answered, at most \(mostRequests) were sent")
        }
        if expectation.forbidsInterim, exchange.interimCount > 0 {
            failures.append("an interim answer where none is allowed")
        }
    }

    /// Sends another request on a connection that must stay usable, and returns the faults.
    private func probe(_ exchange: HTTPVectorExchange) throws(WireFailure) -> [String] {
        if exchange.isEnded { return ["the connection ended, it has to stay open"] }
        let request = [UInt8]("GET /livez HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8)
        guard exchange.send(request, way: .whole) else { return ["the server stopped reading"] }
        switch try exchange.next() {
        case .answer(let response) where response.head.status == 200:
            _ = exchange.readAnything(within: waits.quiet)
            return []
        case .answer(let response):
            return ["the further request got \(response.head.status), not 200"]
        case .closed, .silence:
            return ["the connection ended without answering the further request"]
        }
    }
}
