/// A prompt as one line of a history file.
package enum HistoryLine {
    /// Returns a prompt with line breaks and backslashes written as `\n` and `\\`.
    package static func encode(_ prompt: String) -> String {
        var line = ""
        for scalar in prompt.unicodeScalars {
            switch scalar {
            case "\\": line += "\\\\"
            case "\n": line += "\\n"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    package static func decode(_ line: some StringProtocol) -> String {
        var prompt = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in line.unicodeScalars {
            if isEscaped {
                prompt.append(scalar == "n" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                prompt.append(scalar)
            }
        }
        return String(prompt)
    }
}
