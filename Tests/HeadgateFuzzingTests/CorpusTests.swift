import Foundation
import HeadgateFuzzing
import Testing

/// Replays the fuzzers' seeds and findings without a fuzzer. `make fuzz` looks for more findings.
@Suite struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzz/Corpora")

    private static func inputs(of target: String) throws -> [(name: String, bytes: [UInt8])] {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.appending(path: target), includingPropertiesForKeys: nil)
        return try files.sorted { $0.path < $1.path }.map { ($0.lastPathComponent, Array(try Data(contentsOf: $0))) }
    }

    @Test(arguments: FuzzTarget.all.map(\.name))
    func everyInputIsReadWithoutAFinding(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let inputs = try Self.inputs(of: name)
        #expect(!inputs.isEmpty, "Tests/Fuzz/Corpora/\(name) is empty")
        for input in inputs {
            #expect(throws: Never.self, "\(name)/\(input.name)") { try target.run(input.bytes) }
        }
    }

    /// A small fuzzer without coverage feedback. `HEADGATE_FUZZ_ROUNDS=1000` makes the run longer.
    @Test(arguments: FuzzTarget.all.map(\.name))
    func changedInputsAreReadWithoutAFinding(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let rounds = ProcessInfo.processInfo.environment["HEADGATE_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 3
        let inputs = try Self.inputs(of: name).map(\.bytes)
        var change = Change(seed: UInt64(name.utf8.count))
        for _ in 0..<rounds {
            for input in inputs {
                let changed = change.apply(to: input, others: inputs)
                #expect(throws: Never.self, "\(name): \(Data(changed).base64EncodedString())") {
                    try target.run(changed)
                }
            }
        }
    }

    /// Random changes of inputs, which are the same in each run.
    private struct Change {
        private var state: UInt64

        init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

        private mutating func number(below bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(max(1, bound)))
        }

        mutating func apply(to input: [UInt8], others: [[UInt8]]) -> [UInt8] {
            var bytes = input
            for _ in 0...number(below: 3) where !bytes.isEmpty {
                let place = number(below: bytes.count)
                let end = min(bytes.count, place + 1 + number(below: 32))
                switch number(below: 6) {
                case 0: bytes[place] = UInt8(number(below: 256))
                case 1: bytes[place] ^= 1 << UInt8(number(below: 8))
                case 2: bytes.removeSubrange(place..<end)
                case 3: bytes.insert(contentsOf: bytes[place..<end], at: number(below: bytes.count))
                case 4: bytes.removeSubrange(place...)
                default:
                    let other = others[number(below: others.count)]
                    guard !other.isEmpty else { continue }
                    let start = number(below: other.count)
                    bytes.insert(contentsOf: other[start..<min(other.count, start + number(below: 64))], at: place)
                }
            }
            return bytes
        }
    }

    /// A corpus without a target would never run.
    @Test func everyCorpusHasATarget() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(folders) == Set(FuzzTarget.all.map(\.name)))
    }
}
