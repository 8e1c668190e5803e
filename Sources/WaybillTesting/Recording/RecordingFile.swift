import Foundation
import Waybill
import WaybillDescription

/// A file of recordings, a HAR 1.2.
struct RecordingFile: Sendable {
    let url: URL

    /// The secrets of the files that this process records, by their paths.
    ///
    /// The recordings of a process may share a file: one of them at a time replaces its part.
    private static let secrets = Locked<[String: RecordingSecrets]>([:])

    /// Returns the bytes of the file; nil if it is missing.
    func contents() throws(RecordedTransport.Failure) -> Data? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        do {
            return try Data(contentsOf: url)
        } catch {
            throw RecordedTransport.Failure(.inaccessibleFile("\(error.localizedDescription)"), file: url)
        }
    }

    /// Reads the recordings.
    ///
    /// - Throws: ``RecordedTransport/Failure`` with the line for anything that is not as it was written.
    func read(_ data: Data) throws(RecordedTransport.Failure) -> HARLog {
        do {
            return try JSONDefaults.decoder.decode(HARLog.self, from: data)
        } catch {
            guard let error = error as? DecodingError else {
                throw RecordedTransport.Failure(.malformed("\(error)"), file: url)
            }
            let diagnosis = JSONDiagnosis(error) ?? JSONDiagnosis(of: error, inEncoded: data)
            // The line of the end is the one that is known of a file without a value.
            throw RecordedTransport.Failure(.malformed(diagnosis.description), file: url, line: diagnosis.line ?? 1)
        }
    }

    /// Replaces the exchanges of a recording, and keeps the others of the file; secrets are removed from all of them.
    ///
    /// - Parameters:
    ///   - name: the name of the recording.
    ///   - secrets: the secret values of the recording.
    ///   - exchanges: returns the exchanges without the secrets of the file.
    /// - Throws: ``RecordedTransport/Failure`` if the file cannot be read or written, or if another process does not
    ///   release it.
    func replace(
        _ name: String?,
        knowing secrets: Set<String>,
        with exchanges: @Sendable (RecordingSecrets) -> [RecordedExchange]
    ) throws(RecordedTransport.Failure) {
        try createFolder()
        // Other processes write the file too; waiting for them keeps no recording of another file waiting.
        let lock = try RecordingLock(of: url)
        defer { lock.release() }
        let result = Self.secrets.withLock { files in
            Result { () throws(RecordedTransport.Failure) in
                var known = files[url.path] ?? RecordingSecrets()
                let count = known.count
                known.formUnion(secrets)
                files[url.path] = known
                var log = try contents().map { (data) throws(RecordedTransport.Failure) in try read(data) } ?? HARLog()
                if known.count > count { log.remove(known.names(since: count)) }
                log.replace(name, with: exchanges(known))
                try write(log)
            }
        }
        try result.get()
    }

    /// Writes the file anew.
    func write(_ log: HARLog) throws(RecordedTransport.Failure) {
        try createFolder()
        do {
            // Without a line break at its end: a file that is cut anywhere is not JSON.
            try Data(log.text.utf8).write(to: url, options: .atomic)
        } catch {
            throw RecordedTransport.Failure(.inaccessibleFile("\(error.localizedDescription)"), file: url)
        }
    }

    private func createFolder() throws(RecordedTransport.Failure) {
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
        } catch {
            throw RecordedTransport.Failure(.inaccessibleFile("\(error.localizedDescription)"), file: url)
        }
    }

    /// Returns the line at which an entry begins.
    static func line(ofEntry index: Int, in data: Data) -> Int? {
        let path: [any CodingKey] = [PathKey("log"), PathKey("entries"), PathKey(index)]
        let error = DecodingError.dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: ""))
        return JSONDiagnosis(of: error, inEncoded: data).line
    }

    private struct PathKey: CodingKey {
        let stringValue: String
        let intValue: Int?

        init(_ name: String) { (stringValue, intValue) = (name, nil) }

        init(_ index: Int) { (stringValue, intValue) = ("\(index)", index) }

        init?(stringValue: String) { self.init(stringValue) }

        init?(intValue: Int) { self.init(intValue) }
    }
}
