internal import HeadgatePrices
internal import HeadgatePrimitives

extension ConfigurationDecoder {
    private enum Choice {
        case off
        case file(path: String, text: [UInt8])
    }

    /// Reads the prices of models; nil if there are none.
    mutating func prices(in fields: Fields) -> PriceList? {
        let (file, willRead) = (issues.file, surroundings.willRead)
        let choice = value("prices", of: fields, as: "the path of a file with prices, or none") {
            (text) throws(InvalidValue) in
            if text == "none" { return Choice.off }
            guard !text.isEmpty, text.utf8.count <= 4000, !containsControl(text) else {
                throw InvalidValue("expected the path of a file with prices, or none")
            }
            var path = text
            if !text.hasPrefix("/"), let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) {
                path = "\(file[...slash])\(text)"
            }
            willRead(path)
            return Choice.file(path: path, text: try ConfigurationFile.read(path: path))
        }
        switch choice {
        case .off?: return nil
        case nil: return PriceList()
        case .file(let path, let text)?:
            // Issues of the price file have its own name and lines.
            var decoder = ConfigurationDecoder(environment: environment, issues: IssueList(file: path))
            let entries = decoder.priceEntries(in: text)
            issues.add(decoder.issues)
            return PriceList(own: entries)
        }
    }

    private mutating func priceEntries(in text: [UInt8]) -> [PriceEntry] {
        guard let root = YAMLComposer.compose(text, issues: &issues),
            let fields = fields(of: root, as: .prices, at: .root, in: "the file")
        else { return [] }
        guard let models = fields["models"] else {
            if fields.lacks("models") { issues.add("there are no models: add models:", at: root.position) }
            return []
        }
        return mapping(models.value, place: "models", of: "names to prices")?.compactMap { priceEntry($0) } ?? []
    }

    private mutating func priceEntry(_ entry: YAMLEntry) -> PriceEntry? {
        let place = "model \(quoted(entry.key))"
        do throws(InvalidValue) {
            _ = try Name.checkModelPattern(entry.key)
        } catch {
            issues.add("\(place): \(error.message)", at: entry.keyPosition)
        }
        guard let fields = fields(of: entry.value, as: .price, at: .root, in: place) else { return nil }
        let longest = wholeNumber("max_prompt", of: fields, in: 1...1_000_000_000)
        let tiers = tiers(of: fields, upTo: longest, in: place)
        let long = longPrice(of: fields, upTo: longest, in: place)
        guard
            let price = price(
                of: fields, upTo: longest, long: long, tiers: tiers, in: place, at: entry.keyPosition)
        else { return nil }
        return PriceEntry(
            name: entry.key, price: price, source: .file("\(issues.file):\(entry.keyPosition.line)"))
    }

    private mutating func tiers(
        of fields: Fields, upTo longest: Int?, in place: String
    ) -> [ServiceTier: TokenPrice] {
        let names = ServiceTier.configurable.filter { $0 != .standard }
        guard let entry = fields["tiers"],
            let entries = mapping(entry.value, place: "tiers", of: "names of service tiers to prices")
        else { return [:] }
        var tiers: [ServiceTier: TokenPrice] = [:]
        for entry in entries {
            guard let tier = names.first(where: { $0.rawValue == entry.key }) else {
                let known = names.map(\.rawValue).joined(separator: ", ")
                issues.add("\(place): there is no tier \(quoted(entry.key)): use \(known)", at: entry.keyPosition)
                continue
            }
            let place = "\(place), tier \(tier.rawValue)"
            guard let fields = self.fields(of: entry.value, as: .tierPrice, at: .root, in: place) else { continue }
            let long = longPrice(of: fields, upTo: longest, in: place)
            tiers[tier] = price(
                of: fields, upTo: longest, long: long, tiers: [:], in: place, at: entry.keyPosition)
        }
        return tiers
    }

    private mutating func price(
        of fields: Fields, upTo longest: Int?, long: TokenPrice?, tiers: [ServiceTier: TokenPrice], in place: String,
        at position: SourcePosition
    ) -> TokenPrice? {
        for key in ["input", "output"] where fields.lacks(key) {
            issues.add("\(place) has no \(key): add \(key): and USD per million tokens", at: position)
        }
        let (input, output) = (price("input", of: fields), price("output", of: fields))
        let (cached, written) = (price("cached_input", of: fields), price("cache_write", of: fields))
        let special = SpecialPrices(
            longWrite: price("cache_write_1h", of: fields), audioInput: price("audio_input", of: fields),
            audioOutput: price("audio_output", of: fields), imageInput: price("image_input", of: fields),
            imageOutput: price("image_output", of: fields), long: long, tiers: tiers)
        guard let input, let output else { return nil }
        return TokenPrice(
            input: input, cachedInput: cached, cacheWrite: written, output: output, longestPrompt: longest,
            special: special)
    }

    /// Reads the prices of prompts that are too long for the other prices.
    private mutating func longPrice(of fields: Fields, upTo longest: Int?, in place: String) -> TokenPrice? {
        guard let entry = fields["long"] else { return nil }
        if longest == nil {
            issues.add("\(place): long needs max_prompt: add it, or remove long", at: entry.keyPosition)
        }
        let place = "\(place), long"
        guard let fields = self.fields(of: entry.value, as: .longPrice, at: .root, in: place) else { return nil }
        return price(of: fields, upTo: nil, long: nil, tiers: [:], in: place, at: entry.keyPosition)
    }

    private mutating func price(_ key: String, of fields: Fields) -> Int? {
        let expected = "USD per million tokens such as 0.15 (at most 1000000, six digits after the point)"
        return value(key, of: fields, as: expected) { (text) throws(InvalidValue) in
            guard let price = DecimalText.number(text, digits: TokenPrice.digits), price <= 1_000_000_000_000 else {
                throw InvalidValue("expected \(expected)")
            }
            return price
        }
    }
}
