internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Codes that each create one key for one device. They are held as digests, as keys are, for a short time and only in
/// memory.
struct PairingCodes: CapabilityState {
    /// Key that a code creates.
    struct Pairing: Sendable {
        let name: String
        let settings: KeySettings
        /// Seconds since 1970.
        let end: Int64
    }

    private var pairings: [KeyDigest: Pairing] = [:]

    /// Lifetime of a code in seconds.
    static let lifetime: Int64 = 300
    /// Maximum number of codes.
    private static let most = 16

    /// Adds a code for a key.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: false if there are too many.
    mutating func add(_ pairing: Pairing, code: String, at now: Int64) -> Bool {
        pairings = pairings.filter { $0.value.end > now }
        guard pairings.count < PairingCodes.most else { return false }
        pairings[KeyDigest(of: code.utf8)] = pairing
        return true
    }

    /// Removes a code, and returns the key that it creates; nil for a code that is unknown or expired.
    mutating func take(_ code: String, at now: Int64) -> Pairing? {
        let pairing = pairings.removeValue(forKey: KeyDigest(of: code.utf8))
        return pairing.flatMap { $0.end > now ? $0 : nil }
    }

    /// Adds a code again that was taken but created no key.
    mutating func giveBack(_ pairing: Pairing, code: String) { pairings[KeyDigest(of: code.utf8)] = pairing }

    /// Generates a code: 16 random bytes in base64url.
    static func makeCode() -> String {
        // The system's generator is cryptographically secure.
        var random = SystemRandomNumberGenerator()
        return Base64.encodeForURL((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    /// Returns the document with the contract's schema `Pairing`.
    static func document(_ pairing: Pairing, code: String) -> [UInt8] {
        var output = JSONMembers(room: 128)
        output.append("code", code)
        output.append("name", pairing.name)
        output.append("expires", time: pairing.end * 1_000_000_000)
        return output.end()
    }
}

extension GatewayError {
    static let unknownPairing = GatewayError.invalidRequest(
        404, "This pairing code is unknown: it has been used, or its five minutes are over. Make another one.",
        code: "pairing_unknown", cause: .unknownResponse)

    static let tooManyPairings = GatewayError.invalidRequest(
        429, "Too many pairing codes are waiting. Use one of them, or try again in five minutes.",
        code: "too_many_pairings", cause: .notAllowed, headerFields: [.retryAfter: "300"])
}
