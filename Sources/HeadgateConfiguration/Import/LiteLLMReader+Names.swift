internal import HeadgatePrimitives

extension LiteLLMReader {
    /// Returns the public names of a deployment, and the name sent upstream.
    ///
    /// A pattern forwards the client's name unchanged. LiteLLM removes the provider first, so a pattern that begins
    /// with the provider also serves the provider's own names. The original pattern stays too, so that its names never
    /// match the pattern of another provider.
    ///
    /// - Returns: Nil if no pattern can express the names, which is noted.
    mutating func names(
        _ name: String, _ model: String, _ provider: LiteLLMProvider, at position: SourcePosition
    ) -> (names: [String], sent: String?)? {
        let place = "model \(quoted(name))"
        guard name.contains("*") || model.contains("*") else {
            do throws(InvalidValue) {
                _ = try Name.checkModelPattern(name)
                return ([name], try Name.checkUpstreamModel(model))
            } catch {
                noteLeftOut(place, error.message, position)
                return nil
            }
        }
        if name.isExactly(model), (try? Name.checkModelPattern(name)) != nil { return ([name], nil) }
        if name == "*", model == "*" { return (["*"], nil) }
        let own = model == "*" ? provider.patterns : [model]
        let names = ([name] + own).filter { (try? Name.checkModelPattern($0)) != nil }
        guard name.hasSuffix("/" + model), names.first == name else {
            noteLeftOut(
                place,
                "names are passed on as clients write them, so that this pattern cannot lead to \(quoted(model)); name "
                    + "the models one by one",
                position)
            return nil
        }
        let further =
            names.count == 1 ? "" : " and serves \(names.dropFirst().map(quoted).joined(separator: ", ")), too"
        note(
            "\(place) passes names on as clients write them\(further): let clients leave "
                + "\(quoted(String(name.dropLast(model.count)))) out of the name, or name the models one by one",
            position)
        return (names, nil)
    }
}
