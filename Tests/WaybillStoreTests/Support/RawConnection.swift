import WaybillStore

@testable import class WaybillStore.Connection
@testable import struct WaybillStore.SQLiteLibrary

/// A connection without a store's settings.
struct RawConnection {
    private let connection: Connection

    init(path: String) throws {
        connection = try Connection(try SQLiteLibrary.system.loaded(), path: path)
    }

    func execute(_ script: String) throws { try connection.execute(script: script) }
}
