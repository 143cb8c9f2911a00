import HeadgateLibC
import Testing

@testable import HeadgateService

@Suite struct FileEventsTests {
    private static let write = [event(IN_MODIFY, "headgate.yaml"), event(IN_CLOSE_WRITE, "headgate.yaml")]

    /// Returns an event as the kernel writes it: the name is padded with zeros.
    private static func event(_ mask: Int32, _ name: String, watch: Int32 = 1) -> [UInt8] {
        let length = name.isEmpty ? 0 : (name.utf8.count / 16 + 1) * 16
        var event = inotify_event()
        (event.wd, event.mask, event.len) = (watch, UInt32(bitPattern: mask), UInt32(length))
        let padding = [UInt8](repeating: 0, count: length - name.utf8.count)
        return withUnsafeBytes(of: &event) { Array($0.prefix(MemoryLayout<inotify_event>.size)) } + name.utf8 + padding
    }

    private func events() -> FileEvents {
        var events = FileEvents()
        events.names = ["headgate.yaml", "key"]
        return events
    }

    private func take(_ bytes: [UInt8], _ events: inout FileEvents) -> Bool {
        bytes.withUnsafeBytes { events.take($0) }
    }

    @Test func fileIsHalfWrittenFromItsFirstChangeToItsClose() {
        var events = events()
        #expect(take(Self.write[0], &events) && events.isUnfinished)
        #expect(take(Self.write[0], &events) && events.isUnfinished)
        #expect(take(Self.write[1], &events) && !events.isUnfinished)
        #expect(events.writes == 3 && events.modifications == 2)
    }

    @Test func severalEventsAtOnceAreReadOneByOne() {
        var events = events()
        let open = Self.event(IN_MODIFY, "key", watch: 2)
        #expect(take(Self.write[0] + open + Self.write[1], &events) && events.isUnfinished)
        #expect(take(Self.event(IN_CLOSE_WRITE, "key"), &events) && events.isUnfinished, "another folder's")
        #expect(take(Self.event(IN_CLOSE_WRITE, "key", watch: 2), &events) && !events.isUnfinished)
    }

    @Test func writesToOtherFilesAreIgnored() {
        var events = events()
        #expect(!take(Self.event(IN_MODIFY, "access.log"), &events))
        #expect(!events.isUnfinished && events.writes == 0)
        // The closed file can be the target of a link.
        #expect(take(Self.event(IN_CLOSE_WRITE, "access.log"), &events) && events.writes == 0)
    }

    @Test func otherFilesOfTheFolderDoNotMakeAnOpenOneLookWritten() {
        var events = events()
        #expect(take(Self.write[0], &events) && events.modifications == 1)
        for mask in [IN_MODIFY, IN_CLOSE_WRITE, IN_CREATE, IN_DELETE] {
            _ = take(Self.event(mask, "access.log"), &events)
        }
        #expect(events.modifications == 1 && events.isUnfinished)
    }

    @Test(arguments: [IN_MOVED_TO, IN_MOVED_FROM, IN_DELETE])
    func fileThatIsReplacedOrGoneIsNotHalfWritten(_ mask: Int32) {
        var events = events()
        #expect(take(Self.write[0] + Self.event(mask, "headgate.yaml"), &events))
        #expect(!events.isUnfinished)
    }

    @Test func lostKernelEventsAreNotAwaited() {
        var events = events()
        #expect(take(Self.write[0] + Self.event(IN_IGNORED, "", watch: 2), &events) && events.isUnfinished)
        #expect(take(Self.event(IN_IGNORED, ""), &events) && !events.isUnfinished)
        let writes = events.writes
        #expect(take(Self.write[0] + Self.event(IN_Q_OVERFLOW, "", watch: -1), &events) && !events.isUnfinished)
        #expect(events.writes > writes)
    }

    @Test func irrelevantFileIsNotAwaited() {
        var events = events()
        #expect(take(Self.write[0], &events))
        events.names = ["key"]
        #expect(!events.isUnfinished)
    }

    @Test func truncatedEventDoesNotCrash() {
        let whole = Self.write[0] + Self.write[1]
        for end in whole.indices {
            var events = events()
            _ = take(Array(whole[..<end]), &events)
            #expect(events.writes <= 2)
        }
    }
}
