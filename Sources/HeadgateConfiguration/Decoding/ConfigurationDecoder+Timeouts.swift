/// Timeouts that a mapping changes.
struct TimeoutChanges {
    var connect: Duration?
    var firstByte: Duration?
    var silence: Duration?
    var firstContent: Duration?

    func applied(to timeouts: UpstreamTimeouts) -> UpstreamTimeouts {
        UpstreamTimeouts(
            connect: connect ?? timeouts.connect, firstByte: firstByte ?? timeouts.firstByte,
            silence: silence ?? timeouts.silence, firstContent: firstContent ?? timeouts.firstContent)
    }
}

extension ConfigurationDecoder {
    /// Returns an upstream's timeouts, with defaults for missing ones.
    mutating func timeouts(in fields: Fields) -> UpstreamTimeouts {
        timeoutChanges(in: section("timeouts", of: fields, as: .timeouts)).applied(to: UpstreamTimeouts())
    }

    /// Reads a model's changes to the timeouts of its targets' upstreams, and its total timeout.
    mutating func timeouts(
        in fields: Fields, over targets: [DecodedTarget]
    ) -> (changes: TimeoutChanges, total: Duration?) {
        var section = section("timeouts", of: fields, as: .modelTimeouts)
        let total = duration("total", of: section)
        let names = MappingDeclaration.timeouts.names
        if targets.count == 1, targets[0].isWholeModel {
            section.inherited = targets[0].upstreamPath.key("timeouts")
        } else {
            section.leftOut = names
        }
        let changes = timeoutChanges(in: section)
        for target in targets where !target.isWholeModel {
            for name in names {
                let source = section[name] == nil ? target.upstreamPath.key("timeouts") : section.path
                settings?.inherit(target.path.key("timeouts").key(name), from: source.key(name))
            }
        }
        return (changes, total)
    }

    private mutating func timeoutChanges(in section: Fields) -> TimeoutChanges {
        TimeoutChanges(
            connect: duration("connect", of: section), firstByte: duration("first_byte", of: section),
            silence: duration("silence", of: section), firstContent: duration("first_content", of: section))
    }
}
