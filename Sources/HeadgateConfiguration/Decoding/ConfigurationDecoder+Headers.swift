/// Headers that are added to an upstream's requests, and headers that are removed.
struct DecodedHeaders {
    var set: [HeaderConfiguration] = []
    /// Names in lower case.
    var removed: [String] = []
}

extension ConfigurationDecoder {
    mutating func headers(in fields: Fields) -> DecodedHeaders {
        var headers = DecodedHeaders()
        guard let entry = fields["headers"],
            let entries = mapping(entry.value, place: "headers", of: "header names to values")
        else { return headers }
        let path = fields.path.key("headers")
        var names: Set<String> = []
        for entry in entries {
            let place = "header \(quoted(entry.key))"
            do throws(InvalidValue) {
                try HeaderConfiguration.checkName(entry.key)
                guard names.insert(entry.key.lowercased()).inserted else {
                    throw InvalidValue("it is already set (the case of header names does not count): keep one of them")
                }
            } catch {
                issues.add("\(place): \(error.message)", at: entry.keyPosition)
            }
            if entry.value.isNull {
                headers.removed.append(entry.key.lowercased())
                let origin = origin(of: entry.value)
                settings?.record(path.key(entry.key), "removed", origin: origin)
                continue
            }
            let value = secret(entry.value, in: place, as: "text", at: path.key(entry.key)) {
                (text) throws(InvalidValue) in try HeaderConfiguration.checkValue(text)
            }
            if let value { headers.set.append(HeaderConfiguration(name: entry.key, value: value)) }
        }
        return headers
    }

    mutating func forwardedHeaders(in fields: Fields) -> [String] {
        var seen: Set<String> = []
        let names = values(
            "forward_headers", of: fields, list: "names of header fields", each: "the name of a header field"
        ) { (text) throws(InvalidValue) in
            try HeaderConfiguration.checkForwarded(text)
            let name = text.lowercased()
            guard seen.insert(name).inserted else { throw InvalidValue("it is already in the list: keep one of them") }
            return name
        }
        return names ?? []
    }

    mutating func strippedBetas(in fields: Fields) -> [String] {
        var seen: Set<String> = []
        let names = values("strip_betas", of: fields, list: "names of betas", each: "the name of a beta") {
            (text) throws(InvalidValue) in
            guard (1...128).contains(text.utf8.count),
                text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x2C })
            else { throw InvalidValue("it must be 1 to 128 visible ASCII characters without commas") }
            guard seen.insert(text).inserted else { throw InvalidValue("it is already in the list: keep one of them") }
            return text
        }
        return names ?? []
    }
}
