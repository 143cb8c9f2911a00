import Testing

@testable import HeadgateApps

/// Documents in every style of editors. An edit of any of them is valid, and can be undone exactly.
@Suite struct RandomDocumentTests {
    /// Generates identical documents in every run (SplitMix64).
    struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }

        mutating func space() -> String {
            ["", "", " ", "\n", "\n  ", "\n\t", " // c, }\n", "/* [ */", " /* a\n b */ "].randomElement(using: &self)
                ?? ""
        }

        mutating func value(_ depth: Int) -> String {
            switch UInt64.random(in: 0..<(depth > 2 ? 4 : 7), using: &self) {
            case 0: return "\"// no, \\\" comment\""
            case 1: return "-1.5e3"
            case 2: return "null"
            case 3: return "\"x\""
            case 4: return list("[", "]", depth) { $0.value(depth + 1) }
            default: return object(depth)
            }
        }

        mutating func object(_ depth: Int) -> String {
            var names = ["a", "b", "provider", "model", "headgate", "c"].shuffled(using: &self)
            return list("{", "}", depth) { generator in
                let value = generator.value(depth + 1)
                return "\"\(names.popLast() ?? "z")\"\(generator.space()):\(generator.space())\(value)"
            }
        }

        private mutating func list(
            _ open: String, _ close: String, _ depth: Int, _ item: (inout Generator) -> String
        ) -> String {
            let count = Int.random(in: 0...3, using: &self)
            var text = open + space()
            for index in 0..<count {
                text += item(&self) + space()
                if index + 1 < count || Bool.random(using: &self) { text += "," + space() }
            }
            return text + close
        }
    }

    @Test(arguments: 0..<500) func editIsValidAndUndoneExactly(seed: Int) throws {
        var generator = Generator(state: UInt64(seed))
        let text = generator.space() + generator.object(0) + generator.space()
        let edit = SettingsEdit.json(
            JSONSettings(
                relaxed: true,
                [.init("provider", "headgate", value: ["a": [1]]), .init("model", value: "headgate/fast")]))
        let edited: String
        do {
            edited = try edit.applying(to: text, app: "test")
        } catch {
            // This is the only reason to refuse a valid document.
            #expect(error.reason.contains("where an object with"), "\(text)\n\(error)")
            return
        }
        #expect(try edit.applying(to: edited, app: "test") == edited, "\(text)")
        #expect(edit.isPresent(in: edited), "\(text)\n\(edited)")
        #expect(try edit.removing(from: edited, original: text, app: "test") == text, "\(text)\n\(edited)")
        let bare = try edit.removing(from: edited, original: nil, app: "test")
        #expect(
            !edit.isPresent(in: bare) && (try? JSONTree(Array(bare.utf8), isRelaxed: true)) != nil, "\(text)\n\(bare)")
    }
}
