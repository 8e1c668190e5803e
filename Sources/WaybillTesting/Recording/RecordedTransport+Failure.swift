import Foundation
import Waybill

extension RecordedTransport {
    /// An error of a recording: an invalid file, a request without a recorded response, or requests that are left over.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The reasons of an error.
        public enum Reason: Sendable, Hashable {
            /// There is no file to replay.
            case missingFile
            /// The file has no recording of this name.
            case missingName(String)
            /// The file is no recording: it is cut, or was edited to something else. The texts say where and why.
            case malformed(String)
            /// The document for a report is no HAR. The text has the reason.
            case invalidHAR(String)
            /// The recording has no unused response to a request; the recorded requests most like it follow.
            case noResponse(request: String, candidates: [String])
            /// The recorded requests that were not repeated.
            case unusedRequests([String])
            /// The requests whose responses are still being read.
            case unfinishedResponses([String])
            /// The file system's error.
            case inaccessibleFile(String)
            /// A test with arguments, whose cases would replace each other's recordings.
            case parameterizedTest(String)
            /// The name of a mode that does not exist.
            case unknownMode(String)
        }

        /// The reason.
        public let reason: Reason

        /// The path of the file; nil if the error is about none.
        public let path: String?

        /// The line of the file, from 1; nil if the error is not about one.
        public let line: Int?

        package init(_ reason: Reason, file: URL?, line: Int? = nil) {
            self.reason = reason
            self.line = line
            path = file?.path
        }

        /// The path and the line, the reason, and the way out.
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
                "these requests were recorded, and not repeated:\n\(Self.list(requests))\n\(Self.recordingHint)"
            case .unfinishedResponses(let requests):
                "the responses to these requests are still being read, and not recorded:\n\(Self.list(requests))"
            case .inaccessibleFile(let text): "the file cannot be read or written: \(text)"
            case .parameterizedTest(let name):
                "the test \(name) has arguments, and its cases would share a recording; "
                    + "create a RecordedTransport with a name for each in the test"
            case .unknownMode(let name):
                "\(RecordedTransport.Mode.variable) is \(name.debugDescription), and has to be one of "
                    + RecordedTransport.Mode.allCases.map(\.rawValue).joined(separator: ", ")
            }
        }

        private static let recordingHint = "record it with the mode record or recordMissing"

        private static func list(_ items: [String]) -> String { items.map { "- \($0)" }.joined(separator: "\n") }
    }
}
