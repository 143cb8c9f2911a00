enum MessagesRequestWriter: RequestWriter {
    static func write(
        _ request: ModelRequest, for target: TargetTraits, _ losses: inout Losses
    ) throws(TranslationError) -> WrittenRequest {
        throw TranslationError("not written")
    }
}
