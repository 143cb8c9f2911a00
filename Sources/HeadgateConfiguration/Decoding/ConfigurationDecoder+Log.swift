extension ConfigurationDecoder {
    mutating func log(in file: Fields) -> LogConfiguration {
        let fields = section("log", of: file, as: .log)
        var log = LogConfiguration()
        if let format = choice("format", of: fields, as: LogConfiguration.Format.self) { log.format = format }
        if let level = choice("level", of: fields, as: LogConfiguration.Level.self) { log.level = level }
        log.file = value("file", of: fields, as: "an absolute path") { (text) throws(InvalidValue) in
            guard text.hasPrefix("/"), !text.hasSuffix("/"), !text.utf8.contains(0) else {
                throw InvalidValue("expected an absolute path of a file")
            }
            return text
        }
        log.hasUpstreamErrors = flag("upstream_errors", of: fields) ?? false
        guard let entry = fields["rotate"] else {
            recordStandard("rotate", of: fields)
            return log
        }
        if fields["file"] == nil, fields.lacks("file") {
            issues.add("rotate: there is no file to rotate: name one in file:", at: entry.keyPosition)
        }
        log.rotation = rotation(in: fields)
        return log
    }

    private mutating func rotation(in log: Fields) -> LogRotation {
        let fields = section("rotate", of: log, as: .logRotation)
        var rotation = LogRotation()
        let size = value("size", of: fields, as: ByteSize.expected) { (text) throws(InvalidValue) in
            let size = try ByteSize.parse(text)
            guard size >= 1 << 16 else { throw InvalidValue("expected at least 64KiB") }
            return size
        }
        if let size { rotation.size = size }
        if let kept = wholeNumber("keep", of: fields, in: 0...1000) { rotation.kept = kept }
        return rotation
    }
}
