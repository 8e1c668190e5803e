import Foundation

extension URL {
    /// The base URL of a declaration that is mocked; nothing is sent to it.
    static var mocked: URL { URL(string: "https://mock.example") ?? URL(filePath: "/") }
}
