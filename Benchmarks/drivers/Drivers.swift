// The micro drivers: each runs one part of the gateway on a fixed input, a given number of times, and checks its
// result. No clock is read and nothing is measured here: callgrind and the allocation counter of Benchmarks/guard do
// that from outside.

internal import HeadgateLibC

@main
struct Drivers {
    static let all =
        CodecDrivers.all + StreamDrivers.all + JSONDrivers.all + GatewayDrivers.all + LoopbackDrivers.all
        + OperationDrivers.all + LedgerDrivers.all

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["list"] { return print(all.map { "\($0.name)\t\($0.unit)" }.joined(separator: "\n")) }
        if arguments.count == 2, arguments[0] == "serve", let port = UInt16(arguments[1]) {
            do { try OperationDrivers.serve(port: port) } catch { fail("serve: \(error)") }
        }
        guard arguments.count == 2, let iterations = arguments.last.flatMap({ Int($0) }), iterations > 0,
            let driver = all.first(where: { $0.name == arguments.first })
        else {
            let names = all.map { "  \($0.name), of one \($0.unit)" }.joined(separator: "\n")
            fail(
                "usage: headgate-drivers serve PORT, which serves the generated operation\n"
                    + "       headgate-drivers DRIVER ITERATIONS, with one of these drivers:\n\(names)")
        }
        do {
            let result = try driver.run(iterations)
            let expected = driver.result * iterations
            guard result == expected else {
                fail("\(driver.name): the result is \(result), not \(expected): it does not do its work")
            }
            print("\(driver.name): \(iterations) times one \(driver.unit), result \(result)")
        } catch {
            fail("\(driver.name): \(error)")
        }
    }

    private static func fail(_ message: String) -> Never {
        let line = message + "\n"
        write(STDERR_FILENO, line, line.utf8.count)
        exit(1)
    }
}

/// Driver of one part of the gateway, with its input.
struct Driver: Sendable {
    let name: String
    /// Unit of one iteration.
    let unit: String
    /// Value that one iteration adds to the result.
    let result: Int
    /// Runs the given number of iterations and returns the sum of their results.
    let run: @Sendable (Int) throws -> Int
}

/// Failure of a part that a driver ran.
struct DriverError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
