import Testing

@testable import HeadgateHTTP

/// Checks of eight bytes per step, compared with checks of single bytes.
@Suite struct ByteClassTests {
    private static let lengths = [1, 7, 8, 9, 15, 16, 17, 24]

    @Test(arguments: UInt8.min...UInt8.max)
    func invalidTokenByteIsFoundAnywhere(_ octet: UInt8) {
        for length in ByteClassTests.lengths {
            for position in 0..<length {
                for filler in "a-Z".utf8 {
                    var name = [UInt8](repeating: filler, count: length)
                    name[position] = octet
                    #expect(name.withUnsafeBytes { ByteClass.isToken($0) } == isTokenOctet(octet))
                }
            }
        }
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func invalidFieldByteIsFoundAnywhere(_ octet: UInt8) {
        let expected: ByteClass.FieldContent =
            octet == 0x7F || (octet < 0x20 && octet != 0x09) ? .invalid : octet < 0x80 ? .ascii : .octets
        for length in ByteClassTests.lengths {
            for position in 0..<length {
                for filler: UInt8 in [0x20, 0x61, 0x7E] {
                    var value = [UInt8](repeating: filler, count: length)
                    value[position] = octet
                    #expect(value.withUnsafeBytes { ByteClass.fieldContent($0) } == expected)
                }
            }
        }
    }

    @Test func emptyTextIsNotAToken() {
        #expect(![UInt8]().withUnsafeBytes { ByteClass.isToken($0) })
    }

    @Test(arguments: [
        "host", "expect", "connection", "content-type", "authorization", "sec-fetch-site", "content-encoding",
        "x-headgate-explain",
    ])
    func knownNameIsKnownInAnyCaseAndNoOtherIs(_ name: String) {
        let known = FieldToken(name)
        #expect(known != .other)
        #expect(FieldToken(name.uppercased()) == known)
        for position in name.utf8.indices {
            let offset = name.utf8.distance(from: name.startIndex, to: position)
            for octet in UInt8.min...UInt8.max where isTokenOctet(octet) {
                var other = Array(name.utf8)
                other[offset] = octet
                let isSame = String(decoding: other, as: UTF8.self).lowercased() == name
                #expect((other.withUnsafeBytes { FieldToken($0) } == known) == isSame)
            }
        }
    }
}

extension FieldToken {
    fileprivate init(_ name: String) {
        self = Array(name.utf8).withUnsafeBytes { FieldToken($0) }
    }
}
