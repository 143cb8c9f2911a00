package import HeadgateHTTP

/// Transport to the on-device model.
package struct OnDeviceTransport: RelayTransport {
    private let transport: LocalServerTransport

    package init(_ transport: LocalServerTransport) { self.transport = transport }

    package func send(
        _ request: UpstreamRequest, to baseURL: BaseURL, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        transport.send(request, to: baseURL) { result in
            completion(
                result.map { response in
                    guard case .stream(let source)? = response.body else { return response }
                    var response = response
                    response.body = .stream(OnDeviceBody(source))
                    return response
                })
        }
    }
}

/// Body of a chat of the on-device model. Its first event gets an empty text instead of none, as clients expect.
///
/// Loop-confined.
final class OnDeviceBody: BodyStage {
    private var beginning = EmptyBeginning()

    override func receive(_ chunk: UnsafeRawBufferPointer) {
        if let changed = beginning.edit(chunk) {
            changed.withUnsafeBytes { pass($0) }
        } else {
            pass(chunk)
        }
    }

    override func finish(_ end: BodyEnd) {
        passRest()
        super.finish(end)
    }

    override func fail(_ error: any Error) {
        passRest()
        super.fail(error)
    }

    private func passRest() {
        let rest = beginning.takeRest()
        if !rest.isEmpty { rest.withUnsafeBytes { pass($0) } }
    }
}

/// Replaces the `null` that llama.cpp writes as the text of the first event of each choice. Pure.
struct EmptyBeginning {
    private static let written = Array(#""delta":{"role":"assistant","content":null}"#.utf8)
    private static let wanted = Array(#""delta":{"role":"assistant","content":""}"#.utf8)

    /// Number of bytes held back at the end of earlier chunks, which can be the start of ``written``.
    private var held = 0

    /// - Returns: the bytes to pass on; nil for the chunk itself.
    mutating func edit(_ chunk: UnsafeRawBufferPointer) -> [UInt8]? {
        let written = EmptyBeginning.written
        // No text of the model contains these bytes, since its quotation marks are escaped.
        if held == 0, !chunk.contains(where: { $0 == written[0] }) { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(chunk.count + held)
        for byte in chunk {
            if byte != written[held] {
                // In JSON, only the first byte of the pattern can start another match.
                output.append(contentsOf: written[..<held])
                held = 0
            }
            guard byte == written[held] else {
                output.append(byte)
                continue
            }
            held += 1
            guard held == written.count else { continue }
            output.append(contentsOf: EmptyBeginning.wanted)
            held = 0
        }
        return output
    }

    /// Returns the bytes that were held back.
    mutating func takeRest() -> [UInt8] {
        defer { held = 0 }
        return Array(EmptyBeginning.written[..<held])
    }
}
