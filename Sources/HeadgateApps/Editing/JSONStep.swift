/// One step of a path in a JSON document, from the outermost value inwards.
package enum JSONStep: Sendable, Equatable {
    case member(String)
    /// The element that is an object with this member.
    case element(where: String, is: String)

    /// Whether the place belongs to this command alone.
    var namesGateway: Bool {
        switch self {
        case .member(let name), .element(_, let name): name == "headgate" || name == "Headgate"
        }
    }
}
