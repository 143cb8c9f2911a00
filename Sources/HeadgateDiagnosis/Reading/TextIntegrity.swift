/// Checks event by event whether the text of a stream arrived intact.
struct TextIntegrity: Sendable {
    /// The number of intact characters outside ASCII.
    private(set) var characters = 0
    /// The number of characters that are split between two events.
    private(set) var torn = 0
    /// The number of other faults.
    private(set) var invalid = 0
    /// The number of U+FFFD, which show that a proxy decoded the text in pieces and damaged it.
    private(set) var replacements = 0

    private var endsCut = false
    private var endsHigh = false

    mutating func add(event bytes: [UInt8]) {
        let scan = UTF8Scan(bytes)
        characters += scan.characters
        var faults = scan.faults.count
        // The first half has already been counted as a fault of the previous event.
        if endsCut, scan.faults.first == .stray {
            torn += 1
            invalid -= 1
            // Each byte of the second half is a stray one.
            faults -= scan.faults.prefix { $0 == .stray }.count
        }
        invalid += faults
        endsCut = scan.faults.last == .cut

        let surrogates = SurrogateScan(json: bytes)
        var loose = surrogates.loose.count
        if endsHigh, surrogates.loose.first == .low {
            torn += 1
            invalid -= 1
            loose -= 1
        }
        invalid += loose
        endsHigh = surrogates.loose.last == .high
        replacements += surrogates.replacements + TextIntegrity.replacements(in: bytes)
    }

    private static func replacements(in bytes: [UInt8]) -> Int {
        bytes.indices.dropLast(2).count { bytes[$0] == 0xEF && bytes[$0 + 1] == 0xBF && bytes[$0 + 2] == 0xBD }
    }
}
