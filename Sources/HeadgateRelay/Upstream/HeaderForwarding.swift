package import HTTPTypes
package import HeadgateHTTP

/// Forwards the fields of the client that the configuration names. Each replaces what the gateway would send under its
/// name.
package struct HeaderForwarding: Sendable {
    private let names: [HTTPField.Name]

    package init(_ names: [String]) { self.names = names.compactMap { HTTPField.Name($0) } }

    /// Whether the client sends any of them.
    func applies(to client: HeadFields) -> Bool { names.contains(where: client.contains) }

    package func apply(_ client: HeadFields, to fields: inout HTTPFields) {
        for name in names where !isOfConnection(name, client) {
            // Servers read other values than ASCII in different ways: they are not forwarded.
            let own = client.all(named: name).filter { $0.value.utf8.allSatisfy { $0 < 0x80 } }
            guard !own.isEmpty else { continue }
            fields[name] = nil
            for field in own { fields.append(field) }
        }
    }

    /// Whether `Connection` names the field as hop-by-hop (RFC 9110 section 7.6.1).
    private func isOfConnection(_ name: HTTPField.Name, _ client: HeadFields) -> Bool {
        client.all(named: .connection).contains { field in
            field.value.split(separator: ",").contains { $0.filter { $0 != " " }.lowercased() == name.canonicalName }
        }
    }
}
