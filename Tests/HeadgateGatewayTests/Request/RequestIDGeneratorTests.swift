import Foundation
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct RequestIDGeneratorTests {
    @Test func idIsAUUIDOfVersion7() throws {
        // The example of RFC 9562, A.6: 2022-02-22 19:22:22 GMT.
        let generator = RequestIDGenerator(now: { 0x017F_22E2_79B0 * 1_000_000 + 999_999 })
        for _ in 0..<200 {
            let id = generator.next()
            #expect(id.wholeMatch(of: #/017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/#) != nil, "\(id)")
            #expect(UUID(uuidString: id) != nil)
        }
    }

    @Test func everyDigitIsInItsPlace() {
        for number: UInt64 in [0, 0x0123_4567, 0x89AB_CDEF, 0xF0E1_D2C3, 0xFFFF_FFFF] {
            let digits = withUnsafeBytes(of: RequestIDGenerator.digits(number)) { String(decoding: $0, as: UTF8.self) }
            #expect(digits == String(format: "%08x", number))
        }
        #expect(
            RequestIDGenerator.text(0x0011_2233_4455_6677, 0x8899_AABB_CCDD_EEFF)
                == "00112233-4455-6677-8899-aabbccddeeff")
    }

    @Test func idsSortByTime() {
        let early = RequestIDGenerator(now: { 1_700_000_000_000_000_000 }).next()
        let late = RequestIDGenerator(now: { 1_700_000_000_001_000_000 }).next()
        #expect(early < late)
    }

    @Test func idsOfOneMillisecondDiffer() {
        let generator = RequestIDGenerator(now: { 0 })
        #expect(Set((0..<20_000).map { _ in generator.next() }).count == 20_000)
    }

    @Test func restartDoesNotRepeatIDs() {
        let ids = (0..<100).map { _ in RequestIDGenerator(now: { 0 }).next() }
        #expect(Set(ids).count == 100)
    }

    @Test func idsOfSeveralTasksDiffer() async {
        let generator = RequestIDGenerator(now: { 0 })
        let ids = await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { (0..<2000).map { _ in generator.next() } } }
            return await group.reduce(into: Set<String>()) { $0.formUnion($1) }
        }
        #expect(ids.count == 8000)
    }
}
