/// Command to a server: a list of texts, which can contain any bytes.
package struct RedisCommand: Sendable, Equatable {
    private(set) var arguments: [[UInt8]]

    package init(_ words: String...) { arguments = words.map { Array($0.utf8) } }

    package mutating func append(_ text: String) { arguments.append(Array(text.utf8)) }

    package mutating func append(_ bytes: [UInt8]) { arguments.append(bytes) }

    package mutating func append(_ number: Int) { append(String(number)) }

    /// Appends the command in the format of the protocol.
    package func write(to output: inout [UInt8]) {
        RedisCommand.write(UInt8(ascii: "*"), arguments.count, to: &output)
        for argument in arguments {
            RedisCommand.write(UInt8(ascii: "$"), argument.count, to: &output)
            output += argument
            output += [0x0D, 0x0A]
        }
    }

    private static func write(_ kind: UInt8, _ number: Int, to output: inout [UInt8]) {
        output.append(kind)
        output += String(number).utf8
        output += [0x0D, 0x0A]
    }
}
