extension ConfigurationDecoder {
    mutating func streams(in file: Fields) -> StreamsConfiguration {
        let fields = section("streams", of: file, as: .streams)
        var streams = StreamsConfiguration()
        let ttl = value("ttl", of: fields, as: DurationText.expectedSeconds) { (text) throws(InvalidValue) in
            try DurationText.parseSeconds(text)
        }
        if let ttl { streams.ttl = ttl }
        let buffer = size("buffer", of: fields, from: 64 << 10, "such as 4MiB (from 64KiB to 1GiB)", to: 1 << 30)
        if let buffer { streams.buffer = buffer }
        let memory = size("memory", of: fields, from: 1 << 20, "such as 64MiB (from 1MiB to 64GiB)", to: 64 << 30)
        if let memory { streams.memory = memory }
        return streams
    }

    private mutating func size(
        _ name: String, of fields: Fields, from lowest: Int, _ examples: String, to highest: Int
    ) -> Int? {
        let expected = "a size \(examples)"
        return value(name, of: fields, as: expected) { (text) throws(InvalidValue) in
            guard let size = try? ByteSize.parse(text), (lowest...highest).contains(size) else {
                throw InvalidValue("expected \(expected)")
            }
            return size
        }
    }
}
