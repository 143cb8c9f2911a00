import Foundation

/// One case of `Tests/Vectors/http1.json`. The README beside that file describes the fields.
struct HTTPVector: Decodable, Sendable {
    /// A piece of the input, in which placeholders are not yet replaced.
    struct Part: Sendable {
        let bytes: [UInt8]
        let delayMilliseconds: Int
    }

    let id: String
    let group: String
    let rule: String
    let parts: [Part]
    let finishesSending: Bool
    let ways: [HTTPVectorWay]
    let expectation: HTTPVectorExpectation

    private enum CodingKeys: String, CodingKey {
        case id, group, rule, fin, modes
        case input = "input_base64"
        case parts = "input_parts"
        case expectation = "expect"
    }

    private struct EncodedPart: Decodable {
        let base64: Data
        let delay: Int

        private enum CodingKeys: String, CodingKey {
            case base64
            case delay = "delay_ms"
        }
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(String.self, forKey: .id)
        group = try fields.decode(String.self, forKey: .group)
        rule = try fields.decode(String.self, forKey: .rule)
        if let encoded = try fields.decodeIfPresent([EncodedPart].self, forKey: .parts) {
            parts = encoded.map { Part(bytes: [UInt8]($0.base64), delayMilliseconds: $0.delay) }
        } else {
            let whole = try fields.decode(Data.self, forKey: .input)
            parts = [Part(bytes: [UInt8](whole), delayMilliseconds: 0)]
        }
        finishesSending = try fields.decodeIfPresent(Bool.self, forKey: .fin) ?? false
        ways = try fields.decodeIfPresent([HTTPVectorWay].self, forKey: .modes) ?? HTTPVectorWay.allCases
        expectation = try fields.decode(HTTPVectorExpectation.self, forKey: .expectation)
    }
}

extension HTTPVector {
    /// The file in this repository, found from the path of this source file.
    static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Vectors/http1.json").standardizedFileURL

    /// Returns all cases in the order of the file.
    static func all() throws -> [HTTPVector] {
        try JSONDecoder().decode([HTTPVector].self, from: Data(contentsOf: file))
    }
}
