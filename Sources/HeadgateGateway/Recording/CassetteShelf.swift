internal import HeadgateCassettes
internal import HeadgateRelay

/// Recordings that can be replayed, by the digest of their request, and the position in each series.
package struct CassetteShelf: Sendable {
    private struct Slot {
        var files: [CassetteFile]
        /// Index of the next file; the last file is repeated.
        var next = 0
    }

    private var slots: [String: Slot] = [:]
    /// Recordings whose request was written as it was sent, by method and path.
    private var byRoute: [String: [CassetteFile]] = [:]
    /// Memory of all recordings, in bytes.
    private var size = 0
    private let ignored: Set<String>

    /// Characters of a digest that are shown to people.
    static let shortDigest = 12

    /// - Parameters:
    ///   - files: in the order in which they were recorded. Files without bodies cannot be replayed.
    ///   - ignored: members of requests that matching ignores.
    package init(_ files: [CassetteFile] = [], ignoring ignored: Set<String> = []) {
        self.ignored = ignored
        for file in files {
            if let digest = CassetteShelf.digest(of: file, ignoring: ignored) {
                add(file, under: digest, limit: .max)
            }
        }
    }

    package var isEmpty: Bool { slots.isEmpty }

    static func digest(of identity: RequestIdentity) -> String { KeyDigest(of: identity.bytes).hexadecimal }

    /// Returns the digest of the request that a recording answers; nil if its bodies were left out.
    package static func digest(of file: CassetteFile, ignoring ignored: Set<String>) -> String? {
        guard file.cassette.responseBody != nil else { return nil }
        return file.cassette.digest ?? digest(of: identity(of: file.cassette, ignored))
    }

    /// Limit of the memory of all recordings, in bytes.
    package static let limit = 1 << 30

    /// - Returns: whether there was room for the file.
    @discardableResult
    package mutating func add(_ file: CassetteFile, under digest: String, limit: Int = CassetteShelf.limit) -> Bool {
        let octets = file.cassette.octets
        guard size + octets <= limit else { return false }
        size += octets
        slots[digest, default: Slot(files: [])].files.append(file)
        if file.cassette.digest == nil {
            byRoute["\(file.cassette.request.method) \(file.cassette.route)", default: []].append(file)
        }
        return true
    }

    /// Takes the next recording of a request.
    mutating func take(_ digest: String) -> Cassette? {
        guard var slot = slots.removeValue(forKey: digest) else { return nil }
        let file = slot.files[slot.next]
        slot.next = min(slot.next + 1, slot.files.count - 1)
        slots[digest] = slot
        return file.cassette
    }

    static func identity(of cassette: Cassette, _ ignored: Set<String>) -> RequestIdentity {
        RequestIdentity(
            method: cassette.request.method, route: cassette.route, body: cassette.request.body?.bytes,
            contentType: cassette.request.fields.first { $0.name == "content-type" }?.value, ignoring: ignored)
    }

    /// Returns the latest recordings of a request's route, at most ``CassetteMiss/most``, for the report of a miss.
    func comparable(with identity: RequestIdentity) -> [CassetteFile] {
        Array((byRoute[identity.target] ?? []).suffix(CassetteMiss.most))
    }
}

/// Reason why no recording answers a request: the digest, and how the nearest recording differs. It names members,
/// but not their values.
struct CassetteMiss {
    /// Maximum number of recordings that are compared, and of their bytes, because a loop waits for the comparison.
    static let most = 64
    private static let mostOctets = 1 << 20

    private let identity: RequestIdentity
    private let digest: String
    private let ignored: Set<String>
    /// Recordings to compare, in the order in which they were recorded.
    var compared: [CassetteFile] = []

    init(_ identity: RequestIdentity, _ digest: String, _ ignored: Set<String>) {
        self.identity = identity
        self.digest = digest
        self.ignored = ignored
    }

    var text: String {
        let asked = "no recording answers this request, whose digest is \(digest.prefix(CassetteShelf.shortDigest))"
        var octets = 0
        var nearest: (name: String, members: [String])?
        for file in compared.reversed() {
            octets += file.cassette.request.body?.bytes?.count ?? 0
            guard octets <= CassetteMiss.mostOctets else { break }
            let members = CassetteShelf.identity(of: file.cassette, ignored).differences(from: identity)
            // If two are equally near, name the earlier one.
            if nearest.map({ members.count <= $0.members.count }) ?? true { nearest = (file.name, members) }
        }
        guard let nearest else {
            return "\(asked); "
                + (compared.isEmpty ? "none is of its route" : "those of its route are too long to compare")
        }
        let shown = nearest.members.prefix(8).map { ShownName.text($0) }.joined(separator: ", ")
        let rest = nearest.members.count > 8 ? " and \(nearest.members.count - 8) more" : ""
        return "\(asked); the nearest is \(nearest.name), which differs in "
            + (nearest.members.isEmpty ? "its body, which is no JSON object" : "\(shown)\(rest)")
    }
}

extension Cassette {
    /// Approximate memory that the recording takes, in bytes.
    fileprivate var octets: Int {
        let chunks = response?.chunks ?? []
        return 4096 + (request.body?.bytes?.count ?? 0)
            + chunks.reduce(0) { $0 + 64 + ($1.content.bytes?.count ?? 0) }
    }
}
