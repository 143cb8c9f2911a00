/// Replaces `${NAME}`, `${NAME:-default}` and `$$` in the text of one scalar.
///
/// It runs on text that YAML has already parsed, and its result is never parsed again: a variable can change a value
/// but not the structure.
struct Interpolation {
    let text: String
    /// The names of the variables that the text was made from, in their order.
    let variables: [String]

    /// Throws when a variable is unset without a default, the syntax is wrong, or the result exceeds `limit` bytes.
    init(_ source: String, environment: [String: String], limit: Int) throws(InvalidValue) {
        guard source.utf8.contains(UInt8(ascii: "$")) else {
            text = source
            variables = []
            return
        }
        var output: [UInt8] = []
        var names: [String] = []
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
                names.append(reference.name)
                output.append(contentsOf: try reference.value(in: environment).utf8)
                rest = rest[(end + 1)...]
            default:
                throw InvalidValue("a lone $: write ${NAME} for a variable, or $$ for a dollar sign")
            }
            guard output.count <= limit else {
                throw InvalidValue("the variables make the configuration larger than 1 MiB: shorten their values")
            }
        }
        text = String(decoding: output, as: UTF8.self)
        variables = names
    }
}

/// What stands between `${` and `}`.
private struct Reference {
    let name: String
    let fallback: String?

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
            fallback = nil
            return
        }
        guard rest.starts(with: ":-".utf8), !rest.contains(UInt8(ascii: "$")) else {
            throw InvalidValue(
                "only ${\(name)} and ${\(name):-default} are understood, and the default cannot hold a variable")
        }
        fallback = String(decoding: rest.dropFirst(2), as: UTF8.self)
    }

    /// As in a shell, the default also stands in for a variable that is set but empty.
    func value(in environment: [String: String]) throws(InvalidValue) -> String {
        let value = environment[name]
        if let fallback, value ?? "" == "" { return fallback }
        guard let value else {
            throw InvalidValue("the variable \(name) is not set: set it, or write ${\(name):-default}")
        }
        return value
    }
}
