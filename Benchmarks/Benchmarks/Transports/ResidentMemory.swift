import Foundation

/// How much memory of this program is resident, as the system counts it.
enum ResidentMemory {
    /// Bytes that are resident now; nil where the system does not tell it in this way.
    static var current: Double? { bytes(of: "VmRSS") }

    /// Bytes that were resident when they were the most, since ``forgetPeak()`` or the program's start.
    static var peak: Double? { bytes(of: "VmHWM") }

    /// Lets the peak begin again at what is resident now.
    static func forgetPeak() throws {
        #if os(Linux)
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs"))
            try file.write(contentsOf: Data("5".utf8))
            try file.close()
        #endif
    }

    // Lines are like "VmRSS:     10236 kB", and the unit is 1024 bytes.
    private static func bytes(of key: String) -> Double? {
        #if os(Linux)
            let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix(key + ":") }
            let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
            return number.flatMap { Double($0) }.map { $0 * 1024 }
        #else
            return nil
        #endif
    }
}
