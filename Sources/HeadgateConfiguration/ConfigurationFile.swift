/// Reads the bytes of a configuration file, refusing what is not a regular file or is too large to be one.
enum ConfigurationFile {
    static let maximumBytes = 1 << 20
    static let tooLarge = "the configuration is larger than 1 MiB: is this the right file?"

    static func read(path: String) throws(InvalidValue) -> [UInt8] {
        try RegularFile.read(path: path, expected: "a YAML file", limit: maximumBytes, tooLarge: tooLarge)
    }
}
