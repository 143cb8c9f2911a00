/// A PEM file with certificates.
enum CertificateFile {
    static let maximumBytes = 4 << 20

    static func check(_ path: String) throws(InvalidValue) -> String {
        let bytes = try RegularFile.read(
            path: try RegularFile.checkPath(path), expected: "a PEM file", limit: maximumBytes,
            tooLarge: "the file is larger than 4 MiB: is this the right one?")
        guard String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else {
            throw InvalidValue("the file holds no certificate: it needs a line -----BEGIN CERTIFICATE-----")
        }
        return path
    }
}
