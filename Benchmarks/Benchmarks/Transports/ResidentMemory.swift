import Foundation

/// The resident memory of this program, as the system counts it.
enum ResidentMemory {
    /// The bytes that are resident now; nil if the system does not provide the number in this way.
    static var current: Double? { bytes(of: "VmRSS") }

    /// The peak of resident bytes since ``forgetPeak()`` or the program's start.
    static var peak: Double? { bytes(of: "VmHWM") }

    /// Returns the peak of resident bytes of another process; nil if it has ended.
    static func peak(of process: Int32) -> Double? { bytes(of: "VmHWM", process: "\(process)") }

    /// Resets the peak to the bytes that are resident now.
    static func forgetPeak() throws {
        #if os(Linux)
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs"))
            try file.write(contentsOf: Data("5".utf8))
            try file.close()
        #endif
    }

    // Lines are like "VmRSS:     10236 kB", and the unit is 1024 bytes.
    private static func bytes(of key: String, process: String = "self") -> Double? {
        #if os(Linux)
            let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix(key + ":") }
            let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
            return number.flatMap { Double($0) }.map { $0 * 1024 }
        #else
            return nil
        #endif
    }
}
