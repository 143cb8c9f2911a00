import HeadgateConfiguration
import Testing

@testable import HeadgateUpstream

@Suite struct IssuedKeyTests {
    private func read(_ text: String) throws -> IssuedKey { try IssuedKey.read(Array(text.utf8)) }

    @Test(arguments: ["ya29.abc", "ya29.abc\n", "ya29.abc\r\n"])
    func lineOfTextIsTheKey(_ output: String) throws {
        #expect(try read(output) == IssuedKey(Secret("ya29.abc")))
    }

    @Test(arguments: [
        (#"{"token":"t1","expires_at":"2027-01-01T00:00:10Z"}"#, 1_798_761_610 as Int64?),
        (#" {"expires_at": 1798761610, "token": "t1", "other": {"token": 3}}"# + "\n", 1_798_761_610),
        (#"{"token":"t1","expires_at":"1798761610"}"#, 1_798_761_610),
        (#"{"token":"t1","expires_at":1798761610.75}"#, 1_798_761_610),
        (#"{"token":"t1","expires_at":null}"#, nil), (#"{"token":"t1"}"#, nil),
    ])
    func documentStatesWhenTheKeyExpires(_ output: String, _ expiry: Int64?) throws {
        #expect(try read(output) == IssuedKey(Secret("t1"), expiry: expiry))
    }

    @Test(arguments: [
        ("", IssuedKey.Fault.empty), ("\n", .empty), (" \n\n", .empty), (#"{"token":""}"#, .empty),
        ("one\ntwo\n", .severalLines), ("one\n\n", .severalLines), (#"{"token":"a\nb"}"#, .severalLines),
        ("two words", .notAKey), ("t\u{e9}", .notAKey), ("a\u{0}b", .notAKey), ("a\rb", .notAKey),
        (String(repeating: "a", count: 16_385), .notAKey), ("\tkey", .notAKey),
        ("{", .notJSON), (#"{"token":"a"} x"#, .notJSON), (#"{"token":3}"#, .notJSON), ("{}", .noToken),
        (#"{"token":null}"#, .noToken), (#"{"token":"a","expires_at":"soon"}"#, .badExpiry),
        (#"{"token":"a","expires_at":1e300}"#, .badExpiry), (#"{"token":"a","expires_at":"nan"}"#, .badExpiry),
        (#"{"token":"a","expires_at":true}"#, .notJSON),
    ])
    func otherOutputIsRefused(_ output: String, _ fault: IssuedKey.Fault) {
        #expect(throws: fault) { try read(output) }
    }
}
