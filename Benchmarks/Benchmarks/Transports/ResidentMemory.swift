import Foundation

/// The resident memory of a process, as reported by the system.
enum ResidentMemory {
    /// The current resident memory, in bytes; nil except on Linux.
    static var current: Double? { bytes(of: "VmRSS") }

    /// The peak resident memory since ``forgetPeak()`` or the program's start, in bytes; nil except on Linux.
    static var peak: Double? { bytes(of: "VmHWM") }

    /// Returns another process's peak resident memory, in bytes; nil if the process has ended, and except on Linux.
    static func peak(of process: Int32) -> Double? { bytes(of: "VmHWM", process: "\(process)") }

    /// Resets the peak to the current resident memory; does nothing except on Linux.
    static func forgetPeak() throws {
        #if os(Linux)
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs"))
            try file.write(contentsOf: Data("5".utf8))
            try file.close()
        #endif
    }

    // A line looks like "VmRSS:     10236 kB"; the unit is 1,024 bytes.
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
