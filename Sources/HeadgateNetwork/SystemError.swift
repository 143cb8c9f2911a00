internal import Glibc

/// The system's words for an errno, such as "Connection refused".
package func systemErrorText(_ error: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    guard strerror_r(error, &buffer, buffer.count) == 0 else { return "error \(error)" }
    return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
}
