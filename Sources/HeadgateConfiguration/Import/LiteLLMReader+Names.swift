internal import HeadgatePrimitives

extension LiteLLMReader {
    /// Under which names a deployment is served, and what the upstream is sent.
    ///
    /// A pattern passes the client's name on as it is. LiteLLM takes the provider off it first, so that a name that
    /// begins with the provider becomes the provider's own names here.
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
                note("\(place) is left out: \(error.message)", position)
                return nil
            }
        }
        if name.isExactly(model), (try? Name.checkModelPattern(name)) != nil { return ([name], nil) }
        if name == "*", model == "*" { return (["*"], nil) }
        let isPrefixed = name.hasSuffix("/" + model)
        let names = model == "*" ? provider.patterns : [model].filter { (try? Name.checkModelPattern($0)) != nil }
        guard isPrefixed, !names.isEmpty else {
            note(
                "\(place) is left out: names are passed on as clients write them, so that this pattern cannot lead to "
                    + "\(quoted(model)); name the models one by one",
                position)
            return nil
        }
        note(
            "\(place) has become \(names.map(quoted).joined(separator: ", ")): clients leave "
                + "\(quoted(String(name.dropLast(model.count)))) out of the name",
            position)
        return (names, nil)
    }
}
