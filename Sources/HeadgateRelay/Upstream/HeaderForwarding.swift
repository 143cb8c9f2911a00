package import HTTPTypes
package import HeadgateHTTP

/// Forwards the client headers that the configuration names. Each replaces the gateway's own header of that name.
package struct HeaderForwarding: Sendable {
    private let names: [HTTPField.Name]

    init(_ names: [String]) { self.names = names.compactMap { HTTPField.Name($0) } }

    /// Returns whether the client sends any of the forwarded headers.
    func applies(to client: HeadFields) -> Bool { names.contains(where: client.contains) }

    package func apply(_ client: HeadFields, to fields: inout HTTPFields) {
        for name in names where !isOfConnection(name, client) {
            // Non-ASCII values are not forwarded, because servers decode them differently.
            let own = client.all(named: name).filter { $0.value.utf8.allSatisfy { $0 < 0x80 } }
            guard !own.isEmpty else { continue }
            fields[name] = nil
            for field in own { fields.append(field) }
        }
    }

    /// Returns whether `Connection` lists the header as hop-by-hop (RFC 9110 section 7.6.1).
    private func isOfConnection(_ name: HTTPField.Name, _ client: HeadFields) -> Bool {
        client.all(named: .connection).contains { field in
            field.value.split(separator: ",").contains { listed in
                listed.filter { $0 != " " && $0 != "\t" }.lowercased() == name.canonicalName
            }
        }
    }
}
