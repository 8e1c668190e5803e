import Foundation

extension URL {
    /// The base URL of a mocked declaration; no request is sent to it.
    static var mocked: URL { URL(string: "https://mock.example") ?? URL(filePath: "/") }
}
