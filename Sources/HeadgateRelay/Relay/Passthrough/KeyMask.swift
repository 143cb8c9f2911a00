internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP

/// Response that is passed through without the upstream's keys, in case the upstream repeats its request. Each byte of
/// a key becomes an asterisk, so that lengths do not change.
///
/// Loop-confined.
final class KeyMask: BodyStage {
    private let keys: [[UInt8]]
    /// Last bytes received, which can be the beginning of a key.
    private var held: [UInt8] = []

    /// - Parameter keys: the result of ``keys(of:)``.
    init(_ source: any BodySource, keys: [[UInt8]]) {
        self.keys = keys
        super.init(source)
    }

    /// Returns the secrets that are currently sent to an upstream. Words such as `none`, which local servers have for
    /// keys, occur in any text and are left out.
    static func keys(of upstream: UpstreamDefinition) -> [[UInt8]] {
        SecretRedaction.secrets(keys: upstream.knownKeys, headers: upstream.configuration.headers)
            .filter { $0.count >= 8 }
    }

    /// Returns whether responses of an upstream can contain a key, now or once a program has printed one.
    static func hides(keysOf upstream: UpstreamDefinition) -> Bool {
        upstream.issuedKeys != nil || !keys(of: upstream).isEmpty
    }

    override func receive(_ chunk: UnsafeRawBufferPointer) {
        held.append(contentsOf: chunk)
        for key in keys { KeyMask.cover(key, in: &held) }
        var bytes = held
        let kept = keys.map { KeyMask.beginning(of: $0, at: bytes) }.max() ?? 0
        held = Array(bytes.suffix(kept))
        bytes.removeLast(kept)
        if !bytes.isEmpty { bytes.withUnsafeBytes { pass($0) } }
    }

    override func finish(_ end: BodyEnd) {
        passHeld()
        super.finish(end)
    }

    override func fail(_ error: any Error) {
        passHeld()
        super.fail(error)
    }

    private func passHeld() {
        let bytes = held
        held = []
        if !bytes.isEmpty { bytes.withUnsafeBytes { pass($0) } }
    }

    /// Replaces every occurrence of the key with asterisks.
    private static func cover(_ key: [UInt8], in bytes: inout [UInt8]) {
        var start = 0
        while let found = bytes[start...].firstIndex(of: key[0]) {
            start = found + 1
            guard bytes[found...].starts(with: key) else { continue }
            start = found + key.count
            for index in found..<start { bytes[index] = UInt8(ascii: "*") }
        }
    }

    /// Returns the length of the longest suffix of the bytes that is a prefix of the key, but not the whole key.
    private static func beginning(of key: [UInt8], at bytes: [UInt8]) -> Int {
        let longest = min(key.count - 1, bytes.count)
        return stride(from: longest, to: 0, by: -1).first { bytes.suffix($0).elementsEqual(key.prefix($0)) } ?? 0
    }

    /// Removes headers whose values contain a key.
    static func clean(_ fields: inout HTTPFields, of keys: [[UInt8]]) {
        for field in fields where keys.contains(where: { holds(field.value, $0) }) { fields[field.name] = nil }
    }

    private static func holds(_ text: String, _ key: [UInt8]) -> Bool {
        var bytes = Array(text.utf8)
        cover(key, in: &bytes)
        return !bytes.elementsEqual(text.utf8)
    }
}
