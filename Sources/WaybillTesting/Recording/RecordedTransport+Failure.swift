import Foundation
import Waybill

extension RecordedTransport {
    /// An error in recording or replaying, such as an invalid file or a request without a recorded response.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The reason for a failure.
        public enum Reason: Sendable, Hashable {
            /// The file to replay does not exist.
            case missingFile
            /// The file has no recording with this name.
            case missingName(String)
            /// The file is not a valid recording, for example because it was truncated or edited; the text describes
            /// the problem.
            case malformed(String)
            /// The document for a report is not a HAR; the text describes the problem.
            case invalidHAR(String)
            /// The recording has no unused response to a request; the candidates are the recorded requests with the
            /// same method and template.
            case noResponse(request: String, candidates: [String])
            /// Recorded requests were not repeated.
            case unusedRequests([String])
            /// The responses to some requests are still being read.
            case unfinishedResponses([String])
            /// The file cannot be read, written or locked; the text contains the system's error.
            case inaccessibleFile(String)
            /// The test has arguments, so its cases would overwrite each other's recordings.
            case parameterizedTest(String)
            /// No mode has this name.
            case unknownMode(String)
        }

        /// The reason for the failure.
        public let reason: Reason

        /// The path of the file; nil if the failure does not concern a file.
        public let path: String?

        /// The one-based line in the file; nil if the failure does not concern a line.
        public let line: Int?

        package init(_ reason: Reason, file: URL?, line: Int? = nil) {
            self.reason = reason
            self.line = line
            path = file?.path
        }

        /// The path, the line, the reason and, for most reasons, a way to fix the problem.
        public var description: String {
            let place = [path, line.map { "line \($0)" }].compactMap { $0 }.joined(separator: ", ")
            return place.isEmpty ? text : "\(place): \(text)"
        }

        private var text: String {
            switch reason {
            case .missingFile: "there is no recording; \(Self.recordingHint)"
            case .missingName(let name): "there is no recording \(name.debugDescription); \(Self.recordingHint)"
            case .malformed(let text): "this is not a recording: \(text)\nrestore the file, or record it again"
            case .invalidHAR(let text): "this is not a HAR: \(text)"
            case .noResponse(let request, let candidates):
                "there is no unused response to \(request)"
                    + (candidates.isEmpty ? "" : "\nrecorded with this method and template:\n" + Self.list(candidates))
                    + "\n\(Self.recordingHint)"
            case .unusedRequests(let requests):
                "these recorded requests were not repeated:\n\(Self.list(requests))\n\(Self.recordingHint)"
            case .unfinishedResponses(let requests):
                "the responses to these requests are still being read, and not recorded:\n\(Self.list(requests))"
            case .inaccessibleFile(let text): "the file cannot be read or written: \(text)"
            case .parameterizedTest(let name):
                "the test \(name) has arguments, and its cases would share a recording; "
                    + "create a RecordedTransport with a name for each in the test"
            case .unknownMode(let name):
                "\(RecordedTransport.Mode.variable) is \(name.debugDescription), but must be one of "
                    + RecordedTransport.Mode.allCases.map(\.rawValue).joined(separator: ", ")
            }
        }

        private static let recordingHint = "record it with the mode record or recordMissing"

        private static func list(_ items: [String]) -> String { items.map { "- \($0)" }.joined(separator: "\n") }
    }
}
