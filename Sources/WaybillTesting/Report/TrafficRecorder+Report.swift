import Foundation
import Waybill

extension TrafficRecorder {
    /// A page of HTML that shows the calls of a HAR: a waterfall with their phases, attempts and waits, and messages.
    ///
    /// ```swift
    /// let har = try Data(contentsOf: file)     // of any tool, such as a browser
    /// let report = try TrafficRecorder.Report(har: har)
    /// try report.write(to: file.appendingPathExtension("html"))
    /// ```
    ///
    /// The page is complete in itself: it loads nothing, and works without its script. Secrets are redacted by the
    /// usual names of header fields, query items and keys of bodies. A body is cut after 20,000 bytes, and earlier if
    /// all bodies have more than 20,000,000.
    public struct Report: Sendable {
        /// The page, a document of HTML in UTF-8.
        public let html: String

        /// Creates the report of a HAR.
        ///
        /// The HAR may be that of any tool, such as the network panel of a browser: members that are missing or unknown
        /// are left out.
        ///
        /// - Parameter har: the content of a HAR file, JSON in UTF-8.
        /// - Throws: ``RecordedTransport/Failure`` of reason
        ///   ``RecordedTransport/Failure/Reason/invalidHAR(_:)`` if it is not JSON, or has no `log` with `entries`.
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
        /// - Parameter file: the file; one that exists is replaced, and a folder that is missing is created.
        /// - Throws: ``RecordedTransport/Failure`` if the file cannot be written.
        public func write(to file: URL) throws(RecordedTransport.Failure) { try RecordingFile(url: file).write(html) }
    }

    /// The exchanges and calls as a page of HTML.
    public var report: Report {
        // It has been made from nothing but a log with entries.
        (try? ReportLog(content.json)).map { Report($0) } ?? Report(ReportLog(calls: [], creator: ""))
    }
}

extension ReportLog {
    init(calls: [Call], creator: String) { (self.calls, self.creator) = (calls, creator) }
}
