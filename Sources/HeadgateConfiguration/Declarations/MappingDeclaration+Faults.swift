internal import HeadgateFaults

extension MappingDeclaration {
    static let faultInjection = MappingDeclaration(
        name: "fault_injection",
        keys: [
            KeyDeclaration(
                "enabled", .flag,
                "Whether faults are injected: by the rules, and by x-headgate-fault in requests of admin keys.",
                standard: .value("false")),
            KeyDeclaration(
                "rules", .list(.mapping(.faultRule)),
                "Which exchanges get which fault; the first that applies decides.",
                standard: .described("none"), mayBeEmpty: true),
        ])

    static let faultRule = MappingDeclaration(
        name: "fault_rule",
        keys: [
            KeyDeclaration("model", .text, "A public name or pattern.", standard: .described("all")),
            KeyDeclaration("key", .text, "The name of a client key.", standard: .described("all")),
            KeyDeclaration("upstream", .text, "The name of an upstream.", standard: .described("all")),
            KeyDeclaration(
                "percent", .wholeNumber(1...100), "How many of those exchanges, in percent.",
                standard: .value("100")),
            KeyDeclaration(
                "seed", .wholeNumber(0...999_999_999), "Makes the decisions the same in each run.",
                standard: .described("another one each time")),
            KeyDeclaration("fault", .mapping(.fault), "What goes wrong.", isRequired: true),
        ])

    static let fault = MappingDeclaration(
        name: "fault",
        keys: [
            KeyDeclaration("status", .wholeNumber(400...599), "An error with this status in place of a response."),
            KeyDeclaration("retry_after", .wholeNumber(0...86_400), "Seconds, with status."),
            KeyDeclaration("delay_head", .duration, "Before the response's head."),
            KeyDeclaration("delay_content", .duration, "Between the head and the first octet of the body."),
            KeyDeclaration("cut_after_events", .wholeNumber(0...1_000_000), "The connection is closed."),
            KeyDeclaration(
                "reset_after_events", .wholeNumber(0...1_000_000),
                "The connection is reset; with 0 before the response's head."),
            KeyDeclaration("stall_after_events", .wholeNumber(0...1_000_000), "Nothing more comes."),
            KeyDeclaration("drip", .wholeNumber(1...1_000_000_000), "Octets a second of the body."),
            KeyDeclaration("split", .wholeNumber(1...1_000_000_000), "Octets of the body in one piece."),
            KeyDeclaration(
                "malformed_json", .wholeNumber(1...1_000_000), "Which event of a stream is no JSON, counted from 1."),
            KeyDeclaration(
                "error_in_200", .flag, "Whether an error comes with the status 200, in place of a response.",
                standard: .value("false")),
            KeyDeclaration("content_type", .text, "Of the response's head."),
            KeyDeclaration(
                "towards", .choice(Fault.Receiver.allCases.map(\.rawValue)),
                "Who gets the fault: the gateway, as if from the upstream, or the client, as if from the gateway.",
                standard: .value(Fault.Receiver.gateway.rawValue)),
        ])
}
