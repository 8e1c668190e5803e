import Foundation

extension RecordedTransport {
    /// The modes of a recording.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// Every response comes from the file, and nothing is sent.
        case replay
        /// Every request is sent, and its response replaces what the file had.
        case record
        /// A request with a recorded response gets it; any other is sent, and its response is added to the file.
        case recordMissing
        /// Every request is sent; the file is neither read nor written.
        case live

        /// The variable of the process that chooses the mode: `WAYBILL_RECORDING=record swift test`.
        public static let variable = "WAYBILL_RECORDING"

        /// Returns the mode that the process was started with.
        ///
        /// - Returns: the mode that the variable ``variable`` names; `replay` if there is no such variable.
        /// - Throws: ``RecordedTransport/Failure`` if it names none.
        public static func ofProcess() throws(RecordedTransport.Failure) -> Mode {
            try named(ProcessInfo.processInfo.environment[variable])
        }

        static func named(_ name: String?) throws(RecordedTransport.Failure) -> Mode {
            guard let name, !name.isEmpty else { return .replay }
            guard let mode = Mode(rawValue: name) else {
                throw RecordedTransport.Failure(.unknownMode(name), file: nil)
            }
            return mode
        }
    }
}
