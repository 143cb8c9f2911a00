@usableFromInline
package enum JSONKind: Sendable {
    case object, array, string, number, `true`, `false`, null
}
