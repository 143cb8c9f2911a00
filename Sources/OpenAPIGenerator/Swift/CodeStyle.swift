/// Style of the generated code: for the gateway, or for a library.
package struct CodeStyle: Sendable {
    package enum Access: String, Sendable, CaseIterable {
        case `public`
        case package
        case `internal`
    }

    enum Audience {
        /// This project, whose document has stricter rules and whose gateway relays most bodies unread.
        case gateway
        /// Any other project.
        case library
    }

    let audience: Audience
    let access: Access
    /// The document's file name.
    let document: String
    var names = SwiftNames()
    /// Whether a part that cannot be generated is an error, instead of being left out with a warning.
    var isStrict = false
    /// Types that replace schemas, by the schemas' names.
    var typeOverrides: [String: String] = [:]
    /// Lines at the head of each file.
    var fileComments: [String] = []

    static func gateway(_ document: String) -> CodeStyle {
        CodeStyle(audience: .gateway, access: .public, document: document, isStrict: true)
    }

    static func library(_ access: Access, _ document: String) -> CodeStyle {
        CodeStyle(audience: .library, access: access, document: document)
    }

    var isLibrary: Bool { audience == .library }

    /// Imports of library code.
    var runtimeImports: [String] { isLibrary ? [importing("HeadgateOpenAPI")] : [] }

    /// The statement that imports a module. One without a modifier agrees with those of the app itself.
    func importing(_ module: String) -> String { (access == .internal ? "" : "\(access) ") + "import \(module)" }

    /// Before a member that users see.
    var member: String { access == .internal ? "" : "\(access) " }
    /// Modifiers of a public type or protocol: nonisolated, even in a module that defaults to the main actor.
    var type: String { nonisolated + member }
    /// Before an extension.
    var extending: String { nonisolated }
    /// Before what only generated code calls, perhaps that of another module.
    var inner: String { isLibrary ? member : "" }
    /// Before what only this package calls; a library's users may be anywhere.
    var shared: String { isLibrary ? member : "package " }
    /// Before what waits and is given values that belong to its caller's task.
    var waiting: String { isLibrary ? "nonisolated(nonsending) " : "" }

    private var nonisolated: String { isLibrary ? "nonisolated " : "" }
}
