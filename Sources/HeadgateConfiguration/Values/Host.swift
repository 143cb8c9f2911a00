import HeadgateLibC
import HeadgatePrimitives

/// A host in an address. Each host has one spelling, so that the checked host is the one connected to.
enum Host: Equatable {
    case name(String)
    case ipv4(String)
    /// An IPv6 address without brackets.
    case ipv6(String)

    /// Parses a host without brackets: four decimal numbers, or a name, which becomes lower case.
    init(parsing text: Substring) throws(InvalidValue) {
        guard !text.isEmpty else { throw InvalidValue("the host is empty: write a name or an IP address") }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        // Some resolvers parse a host that ends in a number as an address (127.1, 0x7f000001), so it must be one.
        if let last = labels.last, Self.looksNumeric(last) {
            guard labels.count == 4, labels.allSatisfy(Self.isCanonicalOctet) else {
                throw InvalidValue(
                    "this IP address is not in its usual form: write four decimal numbers, such as 127.0.0.1")
            }
            self = .ipv4(String(text))
            return
        }
        guard text.utf8.count <= 253, labels.allSatisfy(Self.isLabel) else {
            throw InvalidValue(
                "the host is not a name: write letters, digits, '-' and '.' (other scripts in their xn-- form)")
        }
        self = .name(text.lowercased())
    }

    /// Parses the text between the brackets of an IPv6 address. Only the form of RFC 5952 is accepted.
    init(parsingIPv6 text: Substring) throws(InvalidValue) {
        var address = in6_addr()
        guard !text.utf8.contains(0), inet_pton(AF_INET6, String(text), &address) == 1 else {
            throw InvalidValue("no IPv6 address in the brackets: write one such as [::1]")
        }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, &address, &buffer, socklen_t(buffer.count))
        let canonical = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard text.lowercased() == canonical else {
            throw InvalidValue("this IP address is not in its usual form: write [\(canonical)]")
        }
        self = .ipv6(canonical)
    }

    /// The host without brackets.
    var text: String {
        switch self {
        case .name(let text), .ipv4(let text), .ipv6(let text): text
        }
    }

    /// Whether the host is 127.0.0.0/8, ::1 or `localhost`. No other name is certain to stay on this machine.
    var isLoopback: Bool {
        switch self {
        case .name(let name): name == "localhost"
        case .ipv4(let address): address.hasPrefix("127.")
        case .ipv6(let address): address == "::1"
        }
    }

    private static func looksNumeric(_ label: Substring) -> Bool {
        if label.lowercased().hasPrefix("0x") {
            return label.utf8.dropFirst(2).allSatisfy { ASCII.hexadecimal($0) != nil }
        }
        return !label.isEmpty && label.utf8.allSatisfy(ASCII.isDigit)
    }

    private static func isCanonicalOctet(_ label: Substring) -> Bool {
        guard label.utf8.count <= 3, let number = WholeNumber.digits(label.utf8) else { return false }
        return number <= 255 && String(number) == label
    }

    private static func isLabel(_ label: Substring) -> Bool {
        let hyphen = UInt8(ascii: "-")
        // Underscores are invalid in host names, but container networks use them.
        return (1...63).contains(label.utf8.count) && label.utf8.first != hyphen && label.utf8.last != hyphen
            && label.utf8.allSatisfy {
                ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == hyphen || $0 == UInt8(ascii: "_")
            }
    }
}
