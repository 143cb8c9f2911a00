package import HeadgateConfiguration
internal import HeadgatePrimitives
import HeadgateRelay

extension Configuration {
    /// Whether recordings replace the upstreams, so that nothing is sent.
    package var isReplayed: Bool { record?.mode == .replay }

    /// Lines about recordings that cannot be read, one each.
    package var unreadableRecordings: [String] {
        guard let record, record.mode != .record else { return [] }
        var lines: [String] = []
        // An error that concerns all recordings is thrown by the check.
        _ = try? CassetteFolder(FilePath.absolute(record.folder)).readIfAny { lines.append($0.skippedRecording) }
        return lines
    }

    /// Checks that the folder of the recordings can be used, without creating or changing anything.
    ///
    /// - Throws: ``Complaint`` if it cannot be used.
    func checkRecording() throws {
        guard let record else { return }
        let folder = CassetteFolder(FilePath.absolute(record.folder))
        switch record.mode {
        case .record: try folder.checkWritable()
        case .replay: _ = try folder.read()
        case .recordOnMiss:
            try folder.checkWritable()
            _ = try folder.readIfAny()
        }
    }
}

extension Complaint {
    /// Line about a recording that is not replayed.
    var skippedRecording: String { "a recording is skipped: \(LogText.line(message))" }
}
