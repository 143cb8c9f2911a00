internal import HeadgatePrimitives

/// URL-encoded forms, which have the format of a query.
enum URLEncodedForm {
    static let mediaType = "application/x-www-form-urlencoded"

    /// Encodes a form.
    ///
    /// - Parameter nested: Members whose elements are written as `name[0]`.
    /// - Throws: An error of encoding.
    static func write(_ value: some JSONWritable, nested: Set<String>) throws -> [UInt8] {
        guard case .members(let members)? = try FormValue.of(value) else { return [] }
        let pairs = members.sorted { $0.key < $1.key }.flatMap { name, value in
            nested.contains(name) ? value.bracketed(name) : FormValue.members([name: value]).exploded(name)
        }
        let items = pairs.map { "\(PercentEncoding.encode($0))=\(PercentEncoding.encode($1))" }
        return Array(items.joined(separator: "&").utf8)
    }

    /// - Throws: An error of decoding.
    static func read<Value: Decodable>(_ bytes: [UInt8]) throws -> Value {
        let pairs = try pairs(bytes)
        return try FormDecoder.decode(.members(FormValue.members(of: pairs)))
    }

    /// - Throws: `DecodingError` if the bytes are not percent-encoded UTF-8.
    static func pairs(_ bytes: [UInt8]) throws -> [(String, String)] {
        try bytes.withUnsafeBufferPointer { bytes in
            try bytes[...].split(separator: 0x26).map { item in
                let name = item.prefix { $0 != 0x3D }
                let text = item[name.endIndex...].dropFirst()
                guard let name = PercentEncoding.decode(name, plusIsSpace: true),
                    let text = PercentEncoding.decode(text, plusIsSpace: true)
                else {
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: [], debugDescription: "an item is no text in percent-encoded UTF-8"))
                }
                return (name, text)
            }
        }
    }
}
