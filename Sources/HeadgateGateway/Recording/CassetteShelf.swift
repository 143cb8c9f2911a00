internal import HeadgateCassettes

/// The recordings that can be replayed, by what was asked, and how far each has been.
package struct CassetteShelf: Sendable {
    private struct Slot {
        var files: [CassetteFile]
        /// The one that is next; the last is repeated.
        var next = 0
    }

    private var slots: [String: Slot] = [:]
    /// Those that tell what they answer, by method and path.
    private var byRoute: [String: [CassetteFile]] = [:]
    /// Octets of all of them.
    private var size = 0
    private let ignored: Set<String>

    /// Characters of a digest that people are shown.
    static let shortDigest = 12

    /// - Parameters:
    ///   - files: in the order in which they were recorded. Those whose bodies were left out cannot be replayed.
    ///   - ignored: members of requests that make no difference.
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

    /// The digest of the request that a recording answers; nil for one whose bodies were left out.
    package static func digest(of file: CassetteFile, ignoring ignored: Set<String>) -> String? {
        guard file.cassette.responseBody != nil else { return nil }
        return file.cassette.digest ?? digest(of: identity(of: file.cassette, ignored))
    }

    /// Octets of all recordings that are held in memory.
    package static let limit = 1 << 30

    /// - Returns: whether there is room for it.
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

    /// The next recording of a request.
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

    /// The latest recordings of a request's route, not many and not large: those that a miss may name.
    func comparable(with identity: RequestIdentity) -> [CassetteFile] {
        Array((byRoute[identity.target] ?? []).suffix(CassetteMiss.most))
    }
}

/// Why no recording answers a request: the digest, and how the recording differs that comes nearest. Names members,
/// and nothing that stands in them.
struct CassetteMiss {
    /// How many recordings are compared at most, and how many octets of them, since a loop waits for it.
    static let most = 64
    private static let mostOctets = 1 << 20

    private let identity: RequestIdentity
    private let digest: String
    private let ignored: Set<String>
    /// In the order in which they were recorded.
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
            // Of two that are as near, the first.
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
    /// What it takes in memory, about.
    fileprivate var octets: Int {
        let chunks = response?.chunks ?? []
        return 4096 + (request.body?.bytes?.count ?? 0)
            + chunks.reduce(0) { $0 + 64 + ($1.content.bytes?.count ?? 0) }
    }
}
