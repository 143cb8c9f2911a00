/// Style of the generated code, for the gateway or for a library.
package struct CodeStyle: Sendable {
    package enum Access: String, Sendable, CaseIterable {
        case `public`
        case package
        case `internal`
    }

    enum Audience {
        /// This project. Its document has stricter rules, and its gateway relays most bodies without decoding.
        case gateway
        /// Any other project.
        case library
    }

    let audience: Audience
    let access: Access
    /// Name of the document's file.
    let document: String
    var names = SwiftNames()
    /// Whether a part that cannot be generated is an error. Otherwise it is left out with a warning.
    var isStrict = false
    /// Types that replace schemas, by the names of the schemas.
    var typeOverrides: [String: String] = [:]
    /// Lines at the beginning of each file.
    var fileComments: [String] = []

    static func gateway(_ document: String) -> CodeStyle {
        CodeStyle(audience: .gateway, access: .public, document: document, isStrict: true)
    }

    static func library(_ access: Access, _ document: String) -> CodeStyle {
        CodeStyle(audience: .library, access: access, document: document)
    }

    var isLibrary: Bool { audience == .library }

    /// Import statements of library code.
    var runtimeImports: [String] { isLibrary ? [importing("HeadgateOpenAPI")] : [] }

    /// Returns the statement that imports a module. Without a modifier, it matches the app's own imports.
    func importing(_ module: String) -> String { (access == .internal ? "" : "\(access) ") + "import \(module)" }

    /// Modifier of a member that users access.
    var member: String { access == .internal ? "" : "\(access) " }
    /// Modifiers of a public type or protocol. It is nonisolated, even in a module that defaults to the main actor.
    var type: String { nonisolated + member }
    /// Modifier of an extension.
    var extending: String { nonisolated }
    /// Modifier of a member that only generated code calls, which can be in another module.
    var inner: String { isLibrary ? member : "" }
    /// Modifier of a member that only this package calls, or generated code of a library.
    var shared: String { isLibrary ? member : "package " }
    /// Modifier of an asynchronous function that receives values of its caller's task.
    var waiting: String { isLibrary ? "nonisolated(nonsending) " : "" }

    private var nonisolated: String { isLibrary ? "nonisolated " : "" }
}
