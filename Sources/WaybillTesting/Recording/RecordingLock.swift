import Foundation
import Waybill
import WaybillSystem

/// The lock of a file of recordings, which one process at a time has: a hidden file beside it, locked by the system.
///
/// The lock ends with its process. The file of recordings itself cannot be locked, because it is replaced as a whole.
package struct RecordingLock: Sendable {
    #if !os(Windows)
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
                do throws(WritableFile.Failure) {
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

        private static func error(_ failure: WritableFile.Failure, _ path: String, _ url: URL)
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
    #else
        /// The recordings of one process wait for each other; there is no lock between processes.
        package init(of url: URL) throws(RecordedTransport.Failure) {}

        package func release() {}
    #endif
}
