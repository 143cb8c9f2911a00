import Foundation

@testable import HeadgateDialects

/// One member of the requests of a format, with a value that has an effect: a row of `Tests/Vectors/Dialects`, whose
/// format `Tests/Vectors/README.md` describes.
struct RequestMember {
    /// Path of the member in the base.
    let path: MemberPath
    /// Name in the table: the path without array indices, and the value or owner that the row is about.
    let name: String
    let value: JSONValue
    /// Reason why the member can have no effect, for all upstreams or by their formats; nil if it must have one.
    private let usual: JSONValue?
    /// Document that the member is added to.
    let base: JSONValue
    /// Value to compare with, at the member's path in the base; nil for the unchanged base.
    let unlike: JSONValue?

    fileprivate init?(_ row: JSONValue, of document: JSONValue) {
        guard let at = row["at"]?.string, let value = row["value"] else { return nil }
        path = MemberPath(at)
        self.value = value
        usual = row["usual"]
        base = document[row["plain"] == true ? "plain" : "base"] ?? nil
        unlike = row["unlike"]
        let kind = row["kind"]?.string ?? path.owner(in: base).map { "of `\($0)`" }
        name = "`\(path.name)`" + (kind.map { " \($0)" } ?? "")
    }

    /// Returns the reason why the member can have no effect for an upstream of that format; nil if it must have one.
    func reason(for upstream: WireFormat) -> String? { usual?.string ?? usual?[upstream.rawValue]?.string }
}

/// Members of one format's requests.
struct RequestMembers {
    let client: ClientFormat
    /// Requests to which the members are added: one with a place for each member, and one with only a question.
    let bases: [JSONValue]
    let members: [RequestMember]

    static let folder: URL = {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return tests.deletingLastPathComponent().appendingPathComponent("Vectors/Dialects")
    }()

    init(of client: ClientFormat) throws {
        let file = Self.folder.appendingPathComponent("\(client.rawValue).json")
        let document = try JSONValue([UInt8](try Data(contentsOf: file)))
        self.client = client
        bases = ["base", "plain"].compactMap { document[$0] }
        members = (document["members"]?.array ?? []).compactMap { RequestMember($0, of: document) }
    }
}

/// Path of a value in a document, such as `messages[0].content[+]`. `[+]` adds an element at the end, and `[+1]`
/// inserts one before the element at index 1.
struct MemberPath {
    private enum Step {
        case member(String)
        case element(Int)
        /// - Parameter place: index of the new element; nil for the end.
        case newElement(place: Int?)
    }

    private let steps: [Step]
    /// Path with `[]` for each element of an array.
    let name: String

    init(_ text: String) {
        var steps: [Step] = []
        var name = ""
        for word in text.split(separator: ".") {
            let parts = word.split(separator: "[")
            steps.append(.member(String(parts[0])))
            name += (name.isEmpty ? "" : ".") + parts[0]
            for part in parts.dropFirst() {
                let place = Int(part.drop { $0 == "+" }.dropLast())
                steps.append(part.hasPrefix("+") ? .newElement(place: place) : .element(place ?? 0))
                name += "[]"
            }
        }
        self.steps = steps
        self.name = name
    }

    /// Returns the document with the value at the path, creating missing objects on the way.
    func set(_ value: JSONValue, in document: JSONValue) -> JSONValue { Self.set(value, steps[...], in: document) }

    /// Returns the kind of object that has the member: the type of a part, or the role of a message. Nil for any other
    /// object.
    func owner(in document: JSONValue) -> String? {
        var owner: JSONValue? = document
        for step in steps.dropLast() {
            switch step {
            case .member(let name): owner = owner?[name]
            case .element(let index): owner = owner?.array?[index]
            case .newElement: return nil
            }
        }
        return owner?["type"]?.string ?? owner?["role"]?.string
    }

    /// Returns the type of the event that the path points into.
    func owner(ofEventIn document: JSONValue) -> String? {
        guard steps.count > 1, case .element(let index) = steps[1], let events = document["events"]?.array,
            events.indices.contains(index)
        else { return nil }
        return events[index]["type"]?.string
    }

    private static func set(_ value: JSONValue, _ steps: ArraySlice<Step>, in document: JSONValue?) -> JSONValue {
        guard let step = steps.first else { return value }
        let rest = steps.dropFirst()
        switch step {
        case .member(let name):
            var object = document?.object ?? JSONObject()
            object[name] = set(value, rest, in: object[name])
            return .object(object)
        case .element(let index):
            var elements = document?.array ?? []
            elements[index] = set(value, rest, in: elements[index])
            return .array(elements)
        case .newElement(let place):
            var elements = document?.array ?? []
            elements.insert(set(value, rest, in: nil), at: place ?? elements.count)
            return .array(elements)
        }
    }
}
