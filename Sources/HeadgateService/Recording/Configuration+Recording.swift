package import HeadgateConfiguration

extension Configuration {
    /// Whether recordings answer, and nothing is sent.
    package var isReplayed: Bool { record?.mode == .replay }

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
