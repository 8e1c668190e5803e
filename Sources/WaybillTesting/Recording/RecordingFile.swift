import Foundation
import Waybill
import WaybillDescription
import WaybillSystem

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
        return try access { try Data(contentsOf: url) }
    }

    private func access<Value>(_ body: () throws -> Value) throws(RecordedTransport.Failure) -> Value {
        do {
            return try body()
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
                log.replace(name, with: [])
                if known.count > count { log.remove(SecretSearch(known.names(since: count).longValues)) }
                log.replace(name, with: exchanges(known))
                try write(log)
            }
        }
        try result.get()
    }

    /// Writes the file anew.
    func write(_ log: HARLog) throws(RecordedTransport.Failure) {
        // No line break ends the text, so that a file that is cut anywhere is not JSON.
        try write(log.text)
    }

    /// Replaces the content of the file.
    func write(_ text: String) throws(RecordedTransport.Failure) {
        try createFolder()
        try access { try Data(text.utf8).write(to: url, options: .atomic) }
    }

    private func createFolder() throws(RecordedTransport.Failure) {
        let folder = url.deletingLastPathComponent()
        try access { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    }

    /// Returns the line at which an entry begins.
    static func line(ofEntry index: Int, in data: Data) -> Int? {
        let path = [EnvelopeCodingKey("log"), EnvelopeCodingKey("entries"), EnvelopeCodingKey(intValue: index)]
        let error = DecodingError.dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: ""))
        return JSONDiagnosis(of: error, inEncoded: data).line
    }
}

/// The lock of a file of recordings, which one process at a time has: a hidden file beside it, locked by the system.
///
/// The lock ends with its process. The file of recordings itself cannot be locked, because it is replaced as a whole.
package struct RecordingLock: Sendable {
    private let file: WritableFile
    private let path: String

    /// The time after which a process that does not release the lock is an error, and the microseconds between two
    /// tries.
    package static let patience = Duration.seconds(10)
    private static let pause: UInt32 = 2_000

    /// Waits for the lock.
    ///
    /// - Throws: ``RecordedTransport/Failure`` if another process does not release it in time, or if the folder
    ///   cannot be written.
    package init(of url: URL, patience: Duration = Self.patience) throws(RecordedTransport.Failure) {
        let name = ".\(url.lastPathComponent).lock"
        path = url.deletingLastPathComponent().appendingPathComponent(name).path
        let start = ContinuousClock.now
        while true {
            do throws(FileSystemError) {
                file = try WritableFile(path: path)
                return
            } catch {
                guard error == .system(code: EWOULDBLOCK) else { throw Self.error(error, path, url) }
                guard start.duration(to: .now) < patience else {
                    throw RecordedTransport.Failure(
                        .inaccessibleFile("another process has locked it for \(patience), with \(path); end it"),
                        file: url
                    )
                }
                usleep(Self.pause)
            }
        }
    }

    private static func error(_ failure: FileSystemError, _ path: String, _ url: URL)
        -> RecordedTransport.Failure
    {
        let reason =
            switch failure {
            case .notRegular: "it is not a file"
            case .system(let code): String(cString: strerror(code))
            }
        return RecordedTransport.Failure(.inaccessibleFile("\(path) cannot be locked: \(reason)"), file: url)
    }

    /// Removes the file of the lock, and with it the lock.
    package func release() { try? WritableFile.remove(path) }
}
