package import HTTPTypes

/// Head of a response, encoded once for all responses that have the same one. The connection adds the lines that
/// differ, such as the date and the request's id.
package final class ServerResponseHead: Sendable {
    package let status: Int
    /// Status line and headers, without the end of the last line.
    let bytes: [UInt8]
    /// The response that was encoded, without lines added since.
    private let encoded: HTTPResponse
    /// Offset of the added lines.
    private let addedAt: Int

    package init(_ response: HTTPResponse) {
        encoded = response
        status = response.status.code
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128)
        HeadEncoder.appendLines(of: response, status: status, to: &bytes)
        self.bytes = bytes
        addedAt = bytes.count
    }

    /// - Parameter addedAt: the offset of the lines that are not in the response.
    private init(_ encoded: HTTPResponse, _ status: Int, _ bytes: [UInt8], addedAt: Int) {
        self.encoded = encoded
        self.status = status
        self.bytes = bytes
        self.addedAt = addedAt
    }

    package var response: HTTPResponse {
        guard addedAt < bytes.count else { return encoded }
        var response = encoded
        for field in bytes[addedAt...].withUnsafeBufferPointer({ HTTPFields(lines: $0) }) {
            response.headerFields.append(field)
        }
        return response
    }

    /// Returns the head with more headers, which are appended as encoded lines. They are rarely read, so this saves
    /// creating them.
    ///
    /// - Parameter lines: lines, each after a line end; valid only during the call.
    package func adding(lines: UnsafeBufferPointer<UInt8>) -> ServerResponseHead {
        if lines.isEmpty { return self }
        var all: [UInt8] = []
        all.reserveCapacity(bytes.count + lines.count)
        all.append(contentsOf: bytes)
        all.append(contentsOf: lines)
        return ServerResponseHead(encoded, status, all, addedAt: addedAt)
    }
}

extension HTTPFields {
    /// - Parameter lines: header lines, each with the line end before it.
    package init(lines: UnsafeBufferPointer<UInt8>) {
        self.init()
        for line in lines.split(separator: 0x0A) {
            let line = line.last == 0x0D ? line.dropLast() : line
            guard let colon = line.firstIndex(of: 0x3A),
                let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
            else { continue }
            let value = line[(colon + 1)...].drop { $0 == 0x20 }
            append(HTTPField(name: name, value: String(decoding: value, as: UTF8.self)))
        }
    }
}
