import Foundation
import Testing

@testable import HeadgateUpstream

@Suite struct OnDeviceFoldersTests {
    @Test func nothingIsLeftIfTheScriptCannotBeWritten() throws {
        let files = FileManager.default
        let top = files.temporaryDirectory.appending(path: "headgate-folders-\(UUID().uuidString)").path
        defer { try? files.removeItem(atPath: top) }
        // This path is so long that the folder fits in it, but no file in that folder does.
        var parent = top
        while parent.utf8.count < 4070 {
            parent += "/" + String(repeating: "a", count: min(200, max(1, 4070 - parent.utf8.count - 1)))
        }
        try files.createDirectory(atPath: parent, withIntermediateDirectories: true)
        #expect(throws: OnDeviceError.self) {
            _ = try OnDeviceFolders(environment: ["HOME": top, "XDG_RUNTIME_DIR": parent])
        }
        #expect(try files.contentsOfDirectory(atPath: parent).isEmpty)
    }
}
