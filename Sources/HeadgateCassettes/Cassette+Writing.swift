extension Cassette {
    static let firstLine = "headgate-cassette 1"

    /// The text of the cassette's file.
    package var text: [UInt8] {
        var output = Array("\(Cassette.firstLine)\n".utf8)
        for (name, value) in [
            ("recorded", recorded), ("operation", operation), ("model", model), ("route", route), ("digest", digest),
        ] {
            if let value { output.append(contentsOf: "\(name): \(Cassette.oneLine(value))\n".utf8) }
        }
        output.append(0x0A)
        append(request, to: &output)
        output.append(0x0A)
        if let response {
            append(response, to: &output)
            output.append(0x0A)
        }
        let detail = Cassette.oneLine(end.detail)
        output.append(
            contentsOf: "end: \(end.kind.rawValue) +\(end.milliseconds)\(detail.isEmpty ? "" : " \(detail)")\n".utf8)
        return output
    }

    private func append(_ request: Request, to output: inout [UInt8]) {
        output.append(contentsOf: "\(request.method) \(request.path)\n".utf8)
        append(request.fields, to: &output)
        switch request.body {
        case nil: break
        case .leftOut(let octets): output.append(contentsOf: "body \(Cassette.leftOut(octets))\n".utf8)
        case .bytes(let bytes):
            output.append(contentsOf: "body\n".utf8)
            CassetteText.append(bytes, to: &output)
        }
    }

    private func append(_ response: Response, to output: inout [UInt8]) {
        output.append(
            contentsOf: "\(response.status) \(response.framing.rawValue) +\(response.milliseconds)\n".utf8)
        append(response.fields, to: &output)
        for chunk in response.chunks {
            switch chunk.content {
            case .leftOut(let octets):
                output.append(contentsOf: "+\(chunk.milliseconds) \(Cassette.leftOut(octets))\n".utf8)
            case .bytes(let bytes):
                output.append(contentsOf: "+\(chunk.milliseconds)\n".utf8)
                CassetteText.append(bytes, to: &output)
            }
        }
    }

    private func append(_ fields: [Field], to output: inout [UInt8]) {
        for field in fields {
            output.append(contentsOf: "\(field.name):\(field.value.isEmpty ? "" : " ")\(field.value)\n".utf8)
        }
    }

    private static func leftOut(_ octets: Int) -> String { "left out: \(octets) octets" }

    /// Returns a text without line ends and other control characters, and without spaces at its ends.
    static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isLineEnd($0) ? " " : $0 }))
            .trimmed
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }
}

extension String {
    /// The text without spaces at its ends.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
