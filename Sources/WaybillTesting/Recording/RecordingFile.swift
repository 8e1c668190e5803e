import Foundation
import Waybill
import WaybillDescription
import WaybillSystem

/// A HAR 1.2 file of recordings.
struct RecordingFile: Sendable {
    let url: URL

    /// The known secrets of each file that this process records, by path.
    ///
    /// Several recordings in a process can share a file. This lock serializes their updates.
    private static let secrets = Locked<[String: RecordingSecrets]>([:])

    /// Returns the bytes of the file, or nil if it does not exist.
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

    /// Decodes the recordings.
    ///
    /// - Throws: ``RecordedTransport/Failure`` with the line of the problem if the data is not a recording.
    func read(_ data: Data) throws(RecordedTransport.Failure) -> HARLog {
        do {
            return try JSONDefaults.decoder.decode(HARLog.self, from: data)
        } catch {
            guard let error = error as? DecodingError else {
                throw RecordedTransport.Failure(.malformed("\(error)"), file: url)
            }
            let diagnosis =
                WaybillJSONDecoder.Diagnosis(error) ?? WaybillJSONDecoder.Diagnosis(of: error, inEncoded: data)
            // The error for an empty file has no position, so the first line is reported.
            throw RecordedTransport.Failure(.malformed(diagnosis.description), file: url, line: diagnosis.line ?? 1)
        }
    }

    /// Replaces the exchanges of one recording in the file, and removes secrets from all recordings.
    ///
    /// - Parameters:
    ///   - name: the name of the recording.
    ///   - secrets: the secret values of the recording.
    ///   - exchanges: a closure that returns the exchanges, with the file's secrets removed.
    /// - Throws: ``RecordedTransport/Failure`` if the file cannot be read or written, or if another process does not
    ///   release it in time.
    func replace(
        _ name: String?,
        knowing secrets: Set<String>,
        with exchanges: @Sendable (RecordingSecrets) -> [RecordedExchange]
    ) throws(RecordedTransport.Failure) {
        try createFolder()
        // Acquires the file lock before `secrets`: waiting for another process must not block recordings to other
        // files.
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

    /// Replaces the content of the file with a log.
    func write(_ log: HARLog) throws(RecordedTransport.Failure) {
        // The text has no final line break, so a truncated file is never valid JSON.
        try write(log.text)
    }

    /// Replaces the content of the file with a text.
    func write(_ text: String) throws(RecordedTransport.Failure) {
        try createFolder()
        try access { try Data(text.utf8).write(to: url, options: .atomic) }
    }

    private func createFolder() throws(RecordedTransport.Failure) {
        let folder = url.deletingLastPathComponent()
        try access { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    }

    /// Returns the one-based line where an entry begins.
    static func line(ofEntry index: Int, in data: Data) -> Int? {
        let path = [EnvelopeCodingKey("log"), EnvelopeCodingKey("entries"), EnvelopeCodingKey(intValue: index)]
        let error = DecodingError.dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: ""))
        return WaybillJSONDecoder.Diagnosis(of: error, inEncoded: data).line
    }
}

/// A lock that limits access to a file of recordings to one process at a time: a hidden, system-locked file beside it.
///
/// The system releases the lock when the process that holds it ends. The recordings file itself cannot be locked,
/// because each write replaces it.
package struct RecordingLock: Sendable {
    private let file: WritableFile
    private let path: String

    /// The maximum time to wait for another process to release the lock.
    package static let patience = Duration.seconds(10)
    /// The time between two attempts, in microseconds.
    private static let pause: UInt32 = 2_000

    /// Waits for the lock.
    ///
    /// - Throws: ``RecordedTransport/Failure`` if another process does not release it in time, or if the folder is not
    ///   writable.
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
                        .inaccessibleFile("another process has held the lock \(path) for \(patience); end that one"),
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
            case .notRegular: "it is not a regular file"
            case .system(let code): String(cString: strerror(code))
            }
        return RecordedTransport.Failure(.inaccessibleFile("\(path) cannot be locked: \(reason)"), file: url)
    }

    /// Releases the lock and removes its file.
    package func release() { try? WritableFile.remove(path) }
}
