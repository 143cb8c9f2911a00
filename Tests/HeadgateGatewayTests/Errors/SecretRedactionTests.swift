import Foundation
import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct SecretRedactionTests {
    private static let key = "sk-proj-Ab3_Zz+9/x~QmT7-0987654321==fedcba"
    private static let header = "tenant secret/7?&ü-0123456789"

    private let redaction = SecretRedaction(
        keys: [Secret(key)],
        headers: [header, "Bearer tok-1234", "short"].map { HeaderConfiguration(name: "X-Tenant", value: $0) })

    private func redacted(_ text: String) -> String { redaction.redacted(text, limit: 4096) }

    private static func percent(_ text: String, all: Bool, upper: Bool = true) -> String {
        text.utf8.map { byte in
            let isPlain =
                byte < 0x80 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
            return all || !isPlain ? String(format: upper ? "%%%02X" : "%%%02x", byte) : String(UnicodeScalar(byte))
        }.joined()
    }

    /// Returns the base64 forms of the bytes: both alphabets, with and without padding.
    private static func base64(_ bytes: [UInt8]) -> [String] {
        let text = Data(bytes).base64EncodedString()
        let safe = text.replacing("+", with: "-").replacing("/", with: "_")
        return [text, safe, text.replacing("=", with: ""), safe.replacing("=", with: "")]
    }

    @Test(arguments: [key, header]) func secretIsRedactedAtEveryPosition(_ secret: String) {
        for length in 0..<64 {
            let before = String(repeating: ".", count: length)
            #expect(redacted(before + secret + "!") == before + "[redacted]!")
        }
        #expect(redacted(secret + secret + " " + secret) == "[redacted] [redacted]")
    }

    @Test(arguments: [key, header]) func everyPieceOfSixteenBytesIsRedacted(_ secret: String) {
        let bytes = Array(secret.utf8)
        for length in 16...bytes.count {
            for start in 0...(bytes.count - length) {
                guard let piece = String(validating: bytes[start..<(start + length)], as: UTF8.self) else { continue }
                #expect(redacted("<\(piece)>") == "<[redacted]>")
            }
        }
        #expect(redacted("<\(secret.prefix(15))>") == "<\(secret.prefix(15))>")
    }

    @Test(arguments: [key, header]) func percentEncodedSecretIsRedacted(_ secret: String) {
        for form in [
            Self.percent(secret, all: true), Self.percent(secret, all: false),
            Self.percent(secret, all: true, upper: false),
        ] {
            for length in 0..<40 {
                let before = String(repeating: "%2", count: length)
                #expect(redacted(before + form + "&a=%20") == before + "[redacted]&a=%20")
            }
        }
        let piece = Self.percent(String(secret.prefix(16)), all: true)
        #expect(redacted("q=\(piece)...") == "q=[redacted]...")
    }

    @Test(arguments: [key, header]) func base64SecretIsRedactedAtEachAlignment(_ secret: String) {
        for length in 0..<12 {
            for form in Self.base64(Array(repeating: 0x3A, count: length) + Array(secret.utf8) + Array(" and".utf8)) {
                let shown = redacted("a \(form) b")
                #expect(shown.contains("[redacted]"))
                // Only the neighboring text is left, and the base64 characters that it shares with the secret.
                #expect(shown.utf8.count <= 4 + 10 + (length + 2) / 3 * 4 + 12, "\(shown)")
            }
        }
        for form in Self.base64(Array(secret.utf8)) {
            #expect(redacted("(\(Self.percent(form, all: false)))").utf8.count < 20)
        }
    }

    @Test func base64PieceOfASecretIsRedacted() {
        let form = Data(Self.key.utf8).base64EncodedString()
        for start in 0...20 {
            let piece = form.dropFirst(start).prefix(24)
            #expect(redacted("x \(piece) y") == "x [redacted] y")
        }
    }

    @Test func tokenAfterItsSchemeIsASecretToo() {
        #expect(redacted("no tok-1234 here, Bearer tok-1234") == "no [redacted] here, [redacted]")
        #expect(redacted("basic \(Data("tok-1234".utf8).base64EncodedString())").contains("dG9rLTEy") == false)
    }

    @Test func ordinaryWordsStay() {
        for text in [
            "short", "Bearer", "tenant", "You exceeded your current quota, please check your plan and billing details.",
            "100% of 50%2", "%", "%4", "", "The model `gpt-5` does not exist", String(repeating: "ab", count: 2000),
        ] { #expect(redacted(text) == text) }
        let none = SecretRedaction(keys: [])
        #expect(none.redacted("sk-anything", limit: 5) == "sk-an")
        #expect(SecretRedaction(keys: [Secret("abc")]).redacted("abc", limit: 9) == "abc")
    }

    @Test(arguments: [
        "anthropic-beta", "Anthropic-Version", "User-Agent", "App-OS", "Client-Id", "HTTP-Referer", "x-title",
    ]) func valueOfAPublicFieldStays(_ name: String) {
        let value = "prompt-caching-2024-07-31"
        let text = "Unexpected value `\(value)`."
        let open = SecretRedaction(keys: [], headers: [HeaderConfiguration(name: name, value: value)])
        #expect(open.redacted(text, limit: 4096) == text)
        // The value is secret if another header makes it secret.
        let both = SecretRedaction(
            keys: [], headers: [name, "X-Tenant"].map { HeaderConfiguration(name: $0, value: value) })
        #expect(both.redacted(text, limit: 4096) == "Unexpected value `[redacted]`.")
    }

    @Test(arguments: ["Authorization", "X-Beta-Key", "version", "X-User-Agent", "Cookie"])
    func valueOfAnyOtherFieldIsASecret(_ name: String) {
        let closed = SecretRedaction(keys: [], headers: [HeaderConfiguration(name: name, value: Self.header)])
        #expect(closed.redacted("<\(Self.header)>", limit: 4096) == "<[redacted]>")
    }

    @Test func secretAcrossTheCutLeavesNothing() {
        for form in [Self.key, Self.percent(Self.key, all: true), Data(Self.key.utf8).base64EncodedString()] {
            for length in 0...140 {
                let before = String(repeating: ".", count: length)
                let shown = redaction.redacted(before + form, limit: 100)
                #expect(shown.utf8.count <= 100 && shown.allSatisfy { ".[redacted]=".contains($0) }, "\(shown)")
            }
        }
    }

    /// The longest possible text of an upstream, made to look like a key everywhere.
    @Test func longTextTakesLinearTime() {
        let clock = ContinuousClock()
        func seconds(_ count: Int) -> Double {
            let text = String(repeating: "sk-proj-Ab3_Zz%2", count: count / 16)
            let taken = (0..<5).map { _ in clock.measure { _ = redaction.redacted(text, limit: count) } }.min()
            return (taken ?? .zero) / .seconds(1)
        }
        _ = seconds(1 << 10)
        let (small, large) = (seconds(8 << 10), seconds(64 << 10))
        #expect(large < 32 * small, "8 KiB: \(small) s, 64 KiB: \(large) s")
    }
}
