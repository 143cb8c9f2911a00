extension MappingDeclaration {
    static let alerts = MappingDeclaration(
        name: "alerts",
        keys: [
            KeyDeclaration(
                "command", .list(.text, minimum: 1),
                "A program and its arguments, run without a shell, that reads each alert as JSON from its standard "
                    + "input.",
                standard: .described("none")),
            KeyDeclaration(
                "url", .secret, "Where each alert is posted as JSON, such as a webhook of a chat.",
                standard: .described("none")),
            KeyDeclaration("timeout", .duration, "How long one delivery may take.", standard: .value("10s")),
        ])
}
