import Foundation

/// The text above the tables: the machine of the numbers, and how to read them.
enum ReportHeader {
    static var text: String {
        let process = ProcessInfo.processInfo
        var lines = [
            "\(process.operatingSystemVersionString), \(process.activeProcessorCount) processors",
            "Each number is the median of the rounds, with the quartiles in brackets; × is the multiple of the case's"
                + " first subject.",
            "On a machine that does other things too, trust the processor time.",
        ]
        if isDebugBuild {
            lines.append("This is a debug build, whose numbers mean little: swift run -c release benchmarks")
        }
        return lines.joined(separator: "\n")
    }

    private static var isDebugBuild: Bool {
        var isDebug = false
        assert(
            {
                isDebug = true
                return true
            }()
        )
        return isDebug
    }
}
