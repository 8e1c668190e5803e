import Foundation
import Waybill

extension TrafficRecorder {
    /// An HTML page that shows the calls of a HAR: a waterfall of their phases, attempts and waits, and their messages.
    ///
    /// ```swift
    /// let har = try Data(contentsOf: file)     // of any tool, such as a browser
    /// let report = try TrafficRecorder.Report(har: har)
    /// try report.write(to: file.appendingPathExtension("html"))
    /// ```
    ///
    /// The page is self-contained: it loads nothing and works without its script. Secrets are redacted; they are
    /// recognized by the usual names of header fields, query items and body members. A body is truncated at 20,000
    /// bytes, or earlier if all bodies together exceed 20,000,000 bytes.
    public struct Report: Sendable {
        /// The page as an HTML document.
        public let html: String

        /// Creates a report from a HAR.
        ///
        /// The HAR may come from any tool, such as a browser's network panel. Missing and unknown members are ignored.
        ///
        /// - Parameter har: the content of a HAR file: JSON in UTF-8.
        /// - Throws: ``RecordedTransport/Failure`` with the reason ``RecordedTransport/Failure/Reason/invalidHAR(_:)``
        ///   if it is not JSON, has no `log` with `entries`, or has an entry that is not an object.
        public init(har: Data) throws(RecordedTransport.Failure) {
            let json: JSONValue
            do {
                json = try JSONDefaults.decoder.decode(JSONValue.self, from: har)
            } catch {
                throw RecordedTransport.Failure(.invalidHAR("\(error)"), file: nil)
            }
            do throws(ReportLog.Invalid) {
                self.init(try ReportLog(json))
            } catch {
                throw RecordedTransport.Failure(.invalidHAR(error.reason), file: nil)
            }
        }

        init(_ log: ReportLog) {
            var log = log
            ReportRedaction.remove(from: &log)
            html = ReportPage(log).html
        }

        /// Writes the page to a file.
        ///
        /// - Parameter file: the file. An existing file is replaced, and a missing folder is created.
        /// - Throws: ``RecordedTransport/Failure`` if the file cannot be written.
        public func write(to file: URL) throws(RecordedTransport.Failure) { try RecordingFile(url: file).write(html) }
    }

    /// The exchanges and calls as an HTML page.
    public var report: Report {
        // This cannot fail: the content is always a log with entries.
        (try? ReportLog(content.json)).map { Report($0) } ?? Report(ReportLog(calls: [], creator: ""))
    }
}

extension ReportLog {
    init(calls: [Call], creator: String) { (self.calls, self.creator) = (calls, creator) }
}
