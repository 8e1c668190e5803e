import Foundation
import Waybill

/// A third-party test suite published as data.
///
/// It is stored outside the repository.
struct SharedSuite {
    /// The suite's folder.
    let folder: URL

    /// Returns the suite with a name; nil if it is not on this machine.
    ///
    /// - Parameter name: the name of its folder in `WAYBILL_SUITES`, or in `shared/suites` beside the repository.
    init?(_ name: String, file: String = #filePath) {
        let repository = (0..<4).reduce(URL(filePath: file)) { url, _ in url.deletingLastPathComponent() }
        let folders =
            ProcessInfo.processInfo.environment["WAYBILL_SUITES"].map { URL(filePath: $0) }
            ?? repository.deletingLastPathComponent().appending(path: "shared/suites")
        folder = folders.appending(path: name)
        guard FileManager.default.fileExists(atPath: folder.path) else {
            print("the suite \(name) is not on this machine: its tests are skipped")
            return nil
        }
    }

    /// Returns one of the suite's JSON documents.
    func document(_ name: String) throws -> JSONValue {
        try WaybillJSONDecoder().decode(JSONValue.self, from: Data(contentsOf: folder.appending(path: name)))
    }
}
