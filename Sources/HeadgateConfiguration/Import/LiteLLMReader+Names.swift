internal import HeadgatePrimitives

extension LiteLLMReader {
    /// Under which names a deployment is served, and what the upstream is sent.
    ///
    /// A pattern passes the client's name on as it is. LiteLLM takes the provider off it first, so that a pattern that
    /// begins with the provider serves the provider's own names too. It stays itself, so that no name of it ever falls
    /// to the pattern of another provider.
    ///
    /// - Returns: nil where there is no such pattern, which has been noted.
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
