extension Configuration {
    /// Every value that the gateway would work with, defaults too, in a stable order; without a path, the
    /// configuration of ``fromEnvironment(_:)``. The values are recorded while they are decoded.
    package static func explain(
        path: String?, environment: [String: String]
    ) throws(ConfigurationError) -> [EffectiveSetting] {
        guard let path else { return try decode(nil, file: "", environment: environment, settings: .init()).settings }
        return try decode(try read(path: path), file: path, environment: environment, settings: .init()).settings
    }
}
