/// Replaces `${NAME}`, `${NAME:-default}`, `${NAME:?message}` and `$$` in the text of one scalar.
///
/// Interpolation runs on text that YAML has already parsed, and its result is never parsed again. A variable can change
/// a value but not the structure.
struct Interpolation {
    let text: String
    /// Names of the variables in the text, in their order.
    let variables: [String]
    /// Variables whose values are used instead of their defaults.
    let taken: [String]

    /// Returns the name after each `${`, even if the syntax is wrong otherwise.
    static func names(in source: String) -> [String] {
        var names: [String] = []
        var rest = Array(source.utf8)[...]
        while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
            rest = rest[(dollar + 1)...]
            guard rest.first == UInt8(ascii: "{") else { continue }
            let name = rest.dropFirst().prefix { byte in
                ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_")
            }
            names.append(String(decoding: name, as: UTF8.self))
        }
        return names
    }

    /// Interpolates a text. Throws if a variable is unset without a default, or empty although it has a message. Also
    /// throws if the syntax is wrong, or if the result exceeds `limit` bytes.
    ///
    /// - Parameter isSecret: Whether the text is a secret, which must not have a default in the file.
    init(
        _ source: String, environment: [String: String], limit: Int, isSecret: Bool = false
    ) throws(InvalidValue) {
        guard source.utf8.contains(UInt8(ascii: "$")) else {
            text = source
            variables = []
            taken = []
            return
        }
        var output: [UInt8] = []
        var references: [Reference] = []
        var rest = Array(source.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "$") else {
                output.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "$"):
                output.append(UInt8(ascii: "$"))
            case UInt8(ascii: "{"):
                guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
                    throw InvalidValue("a ${ without its }: write ${NAME}, or $$ for a dollar sign")
                }
                let reference = try Reference(rest[..<end])
                references.append(reference)
                output.append(contentsOf: try reference.value(in: environment, isSecret: isSecret).utf8)
                rest = rest[(end + 1)...]
            default:
                throw InvalidValue("a lone $: write ${NAME} for a variable, or $$ for a dollar sign")
            }
            guard output.count <= limit else {
                throw InvalidValue("the variables make the configuration larger than 1 MiB: shorten their values")
            }
        }
        text = String(decoding: output, as: UTF8.self)
        variables = references.map(\.name)
        taken = references.filter { $0.isTaken(from: environment) }.map(\.name)
    }
}

/// The text between `${` and `}`.
private struct Reference {
    private enum Otherwise {
        case missing
        case fallback(String)
        case message(String)
    }

    let name: String
    private let otherwise: Otherwise

    init(_ bytes: ArraySlice<UInt8>) throws(InvalidValue) {
        let nameBytes = bytes.prefix { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_")
        }
        guard let first = nameBytes.first, !ASCII.isDigit(first) else {
            throw InvalidValue("no variable name after ${: write ${NAME} with letters, digits and _")
        }
        name = String(decoding: nameBytes, as: UTF8.self)
        let rest = bytes.dropFirst(nameBytes.count)
        if rest.isEmpty {
            otherwise = .missing
            return
        }
        let text = String(decoding: rest.dropFirst(2), as: UTF8.self)
        switch String(decoding: rest.prefix(2), as: UTF8.self) {
        case ":-" where !text.utf8.contains(UInt8(ascii: "$")): otherwise = .fallback(text)
        case ":?" where !text.utf8.contains(UInt8(ascii: "$")): otherwise = .message(text)
        default:
            throw InvalidValue(
                "only ${\(name)}, ${\(name):-default} and ${\(name):?message} are understood, "
                    + "and what follows the name cannot hold a variable")
        }
    }

    /// Returns whether the variable's value is used. As in a shell, `:-` and `:?` treat an empty variable as unset.
    func isTaken(from environment: [String: String]) -> Bool {
        switch otherwise {
        case .missing: environment[name] != nil
        case .fallback, .message: environment[name]?.isEmpty == false
        }
    }

    func value(in environment: [String: String], isSecret: Bool) throws(InvalidValue) -> String {
        if isTaken(from: environment), let value = environment[name] { return value }
        switch otherwise {
        case .fallback(let text):
            return text
        case .message(let text) where !text.isEmpty:
            throw InvalidValue("the variable \(name) is missing: \(escaped(text))")
        case .message, .missing:
            guard !isSecret else {
                throw InvalidValue(
                    "the variable \(name) is not set: set it where the gateway starts, or write {file: PATH} with a file "
                        + "that holds the secret")
            }
            throw InvalidValue("the variable \(name) is not set: set it, or write ${\(name):-default}")
        }
    }
}
