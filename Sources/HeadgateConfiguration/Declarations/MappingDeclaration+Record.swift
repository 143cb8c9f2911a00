extension MappingDeclaration {
    static let record = MappingDeclaration(
        name: "record",
        keys: [
            KeyDeclaration(
                "folder", .text,
                "Where the files are, one for each exchange; from the configuration file's folder on. It is made where "
                    + "it is missing.",
                isRequired: true),
            KeyDeclaration(
                "mode", .choice(RecordConfiguration.Mode.allCases.map(\.rawValue)),
                "record: write every exchange; replay: answer from the folder, and send nothing; record_on_miss: send "
                    + "and write what the folder has no answer to.",
                standard: .value(RecordConfiguration.Mode.record.rawValue)),
            KeyDeclaration(
                "bodies", .flag,
                "Whether bodies are written; without them a file tells times and sizes alone, and cannot be replayed.",
                standard: .value("true")),
            KeyDeclaration(
                "ignore", .list(.text),
                "Members of requests that make no difference for which recording answers, such as user and metadata.",
                standard: .described("none")),
            KeyDeclaration(
                "pace", .choice(RecordConfiguration.Pace.allCases.map(\.rawValue)),
                "When the parts of a replayed answer are sent: at_once, or as they were recorded.",
                standard: .value(RecordConfiguration.Pace.atOnce.rawValue)),
        ])

    static let inspect = MappingDeclaration(
        name: "inspect",
        keys: [
            KeyDeclaration(
                "requests", .wholeNumber(1...1000), "Number of stored requests, the latest ones.",
                standard: .value("100")),
            KeyDeclaration(
                "bodies", .size, "Bytes of each stored body; longer ones are cut.", standard: .value("64KiB")),
        ])
}
