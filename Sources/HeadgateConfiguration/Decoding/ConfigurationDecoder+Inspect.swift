extension ConfigurationDecoder {
    /// Reads the inspection settings; nil if no content is stored.
    mutating func inspect(in file: Fields) -> InspectConfiguration? {
        guard let entry = file["inspect"],
            let fields = fields(of: entry.value, as: .inspect, at: file.path.key("inspect"), in: "inspect")
        else { return nil }
        var inspect = InspectConfiguration()
        if let requests = wholeNumber("requests", of: fields, in: 1...1000) { inspect.requests = requests }
        let expected = "a size such as 64KiB (from 1KiB to 4MiB)"
        let bodies = value("bodies", of: fields, as: expected) { (text) throws(InvalidValue) in
            guard let size = try? ByteSize.parse(text), (1 << 10...4 << 20).contains(size) else {
                throw InvalidValue("expected \(expected)")
            }
            return size
        }
        if let bodies { inspect.bodies = bodies }
        if inspect.requests * inspect.bodies > InspectConfiguration.most {
            issues.add(
                "inspect: requests times bodies is above 256MiB: store fewer requests, or less of each body",
                at: entry.keyPosition)
        }
        return inspect
    }
}
