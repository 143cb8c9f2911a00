/// Reads the bytes of a configuration file. Rejects anything that is not a regular file or exceeds the size limit.
enum ConfigurationFile {
    static let maximumBytes = 1 << 20
    static let tooLarge = "the configuration is larger than 1 MiB: is this the right file?"

    static func read(path: String) throws(InvalidValue) -> [UInt8] {
        try RegularFile.read(path: path, expected: "a YAML file", limit: maximumBytes, tooLarge: tooLarge)
    }
}
