import Foundation
import Waybill

/// A suite of tests that others publish as data, beside the repository and never in it.
struct SharedSuite {
    /// The folder of the suite.
    let folder: URL

    /// Returns the suite of a name; nil if it is not on this machine.
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

    /// Returns the value of a JSON document of the suite.
    func document(_ name: String) throws -> JSONValue {
        try WaybillJSONDecoder().decode(JSONValue.self, from: Data(contentsOf: folder.appending(path: name)))
    }
}
