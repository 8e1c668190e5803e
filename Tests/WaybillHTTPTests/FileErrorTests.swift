import Foundation
import Testing
import WaybillSystem

@testable import WaybillHTTP

@Suite("FileError")
struct FileErrorTests {
    @Test(
        "A file system error has a one-line description",
        arguments: [
            (ENOENT, "there is no file /a/b"), (ENOTDIR, "there is no file /a/b"),
            (EACCES, "the process is not permitted to read /a/b"), (EPERM, "the process is not permitted to read /a/b"),
            (EROFS, "the process is not permitted to read /a/b"), (EIO, "/a/b cannot be read: Input/output error"),
        ]
    )
    func reasons(code: Int32, text: String) {
        #expect(FileError(.system(code: code), of: URL(fileURLWithPath: "/a/b")).description == text)
    }
}
