extension MappingDeclaration {
    static let log = MappingDeclaration(
        name: "log",
        keys: [
            KeyDeclaration(
                "format", .choice(LogConfiguration.Format.allCases.map(\.rawValue)),
                "auto: text on a terminal, JSON elsewhere.", standard: .value(LogConfiguration.Format.auto.rawValue)),
            KeyDeclaration(
                "level", .choice(LogConfiguration.Level.allCases.map(\.rawValue)),
                "Which requests have a line: error: where the gateway or an upstream failed; warn: refused ones too; "
                    + "info: all but polls that succeed; debug: all.",
                standard: .value(LogConfiguration.Level.info.rawValue)),
            KeyDeclaration(
                "file", .path, "Where the lines go; SIGUSR1 reopens it. Its folder must exist.",
                standard: .described("standard error")),
            KeyDeclaration(
                "rotate", .mapping(.logRotation), "When the gateway rotates the file.", standard: .described("never"),
                mayBeEmpty: true),
            KeyDeclaration(
                "upstream_errors", .flag,
                "Whether what an upstream says of a failure is logged, not only its status, type and code: its words "
                    + "can quote a prompt.",
                standard: .value("false")),
        ])

    static let logRotation = MappingDeclaration(
        name: "log_rotation",
        keys: [
            KeyDeclaration("size", .size, "Bytes after which a new file begins.", standard: .value("100MiB")),
            KeyDeclaration(
                "keep", .wholeNumber(0...1000),
                "Files before the present one that stay, as FILE.1 (the newest), FILE.2 ....",
                standard: .value("5")),
        ])
}
