package import HeadgateConfiguration
internal import HeadgatePrimitives
import HeadgateRelay

extension Configuration {
    /// Whether recordings answer, and nothing is sent.
    package var isReplayed: Bool { record?.mode == .replay }

    /// One line for each recording that cannot be read.
    package var unreadableRecordings: [String] {
        guard let record, record.mode != .record else { return [] }
        var lines: [String] = []
        // The check throws an error that concerns all of them.
        _ = try? CassetteFolder(FilePath.absolute(record.folder)).readIfAny { lines.append($0.skippedRecording) }
        return lines
    }

    /// - Throws: ``Complaint`` where the folder of the recordings cannot be used; nothing is made or changed.
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
    /// The line about a recording that is not replayed.
    var skippedRecording: String { "a recording is skipped: \(LogText.line(message))" }
}
