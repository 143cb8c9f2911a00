internal import HeadgateCassettes

/// The recordings that can be replayed, by what was asked, and how far each has been.
package struct CassetteShelf: Sendable {
    /// Runs a change under a lock.
    package typealias Guarded = @Sendable ((inout CassetteShelf) -> Void) -> Void

    private struct Slot {
        var files: [CassetteFile]
        /// The one that is next; the last is repeated.
        var next = 0
    }

    private var slots: [String: Slot] = [:]
    private let ignored: Set<String>

    /// Characters of a digest that people are shown.
    static let shortDigest = 12

    /// - Parameters:
    ///   - files: in the order in which they were recorded. Those whose bodies were left out cannot be replayed.
    ///   - ignored: members of requests that make no difference.
    package init(_ files: [CassetteFile] = [], ignoring ignored: Set<String> = []) {
        self.ignored = ignored
        for file in files {
            if let digest = CassetteShelf.digest(of: file, ignoring: ignored) { add(file, under: digest) }
        }
    }

    package var isEmpty: Bool { slots.isEmpty }

    static func digest(of identity: RequestIdentity) -> String { KeyDigest(of: identity.bytes).hexadecimal }

    /// The digest of the request that a recording answers; nil for one whose bodies were left out.
    package static func digest(of file: CassetteFile, ignoring ignored: Set<String>) -> String? {
        guard file.cassette.responseBody != nil else { return nil }
        return file.cassette.digest ?? digest(of: identity(of: file.cassette, ignored))
    }

    package mutating func add(_ file: CassetteFile, under digest: String) {
        slots[digest, default: Slot(files: [])].files.append(file)
    }

    /// The next recording of a request.
    mutating func take(_ digest: String) -> Cassette? {
        guard var slot = slots.removeValue(forKey: digest) else { return nil }
        let file = slot.files[slot.next]
        slot.next = min(slot.next + 1, slot.files.count - 1)
        slots[digest] = slot
        return file.cassette
    }

    private static func identity(of cassette: Cassette, _ ignored: Set<String>) -> RequestIdentity {
        RequestIdentity(
            method: cassette.request.method, route: cassette.route, body: cassette.request.body?.bytes,
            ignoring: ignored)
    }

    /// Why no recording answers a request: the digest, and how the recording differs that comes nearest. Names members,
    /// and nothing that stands in them.
    func miss(_ identity: RequestIdentity, _ digest: String) -> String {
        let asked = "no recording answers this request, whose digest is \(digest.prefix(CassetteShelf.shortDigest))"
        let files = slots.values.flatMap(\.files).filter { $0.cassette.digest == nil }
        let known = files.map { (file: $0, identity: CassetteShelf.identity(of: $0.cassette, ignored)) }
            .filter { $0.identity.hasRoute(of: identity) }
            .map { (name: $0.file.name, members: $0.identity.differences(from: identity)) }
        guard let nearest = known.min(by: { ($0.members.count, $0.name) < ($1.members.count, $1.name) }) else {
            return "\(asked); none is of its route"
        }
        let shown = nearest.members.prefix(8).map { ShownName.text($0) }.joined(separator: ", ")
        let rest = nearest.members.count > 8 ? " and \(nearest.members.count - 8) more" : ""
        return "\(asked); the nearest is \(nearest.name), which differs in "
            + (nearest.members.isEmpty ? "its body, which is no JSON object" : "\(shown)\(rest)")
    }
}
