import Foundation

/// The text above the tables: the machine of the numbers, and how to read them.
package struct ReportHeader: Sendable {
    /// The name and the version of the system.
    package let system: String

    /// The number of processors that the program may use.
    package let processors: Int

    /// Whether this module was built with optimization, as then all modules of a package are.
    package let isOptimized: Bool

    package init(system: String, processors: Int, isOptimized: Bool) {
        self.system = system
        self.processors = processors
        self.isOptimized = isOptimized
    }

    /// The header of this program, on this machine.
    package static var ofThisProgram: ReportHeader {
        let process = ProcessInfo.processInfo
        return ReportHeader(
            system: process.operatingSystemVersionString,
            processors: process.activeProcessorCount,
            isOptimized: !isDebugBuild
        )
    }

    /// Returns the text.
    ///
    /// - Parameters:
    ///   - legend: the sentence about the multiples of a table.
    ///   - command: the command of a build with optimization.
    /// - Returns: the lines.
    package func text(_ legend: String, command: String) -> String {
        var lines = [
            "\(system), \(processors) processors",
            "Each number is the median of the rounds, with the quartiles in brackets; \(legend)",
            "On a machine that does other things too, trust the processor time.",
        ]
        if !isOptimized { lines.append("This is a debug build, whose numbers mean little: \(command)") }
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
