/// The text in quotes, safe for a terminal: control characters are escaped and what follows 64 characters is cut off.
func quoted(_ text: String) -> String {
    let limit = 64
    var result = "\""
    for (index, scalar) in text.unicodeScalars.enumerated() {
        guard index < limit else {
            result += "..."
            break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
            result += "\\u{\(String(scalar.value, radix: 16))}"
        default:
            result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}
