internal import CWaybillSQLite
import WaybillSystem

/// The SQLite library to load, with a hook for tests to intercept its calls.
package struct SQLiteLibrary: Sendable {
    /// A call that tests can intercept.
    package struct Call: Sendable, Hashable {
        /// The functions whose results a test can replace: those that read or write a file.
        package enum Function: Sendable, Hashable, CaseIterable {
            case open
            case prepare
            case step
        }

        package let function: Function
        /// The path to open, or the SQL text.
        package let text: String
    }

    /// A closure that intercepts calls: it makes the call and returns its result, or returns a different one.
    package typealias Interception = @Sendable (_ call: Call, _ make: () -> Int32) -> Int32

    /// The oldest supported version, in SQLite's notation: 3.24.0, the first with `ON CONFLICT … DO UPDATE`.
    ///
    /// Debian 10 has 3.27, RHEL 8 has 3.26, and macOS 13 has 3.39. Statements must not use later features, such as
    /// `RETURNING` (3.35), `STRICT` (3.37) or the JSON operators (3.38).
    package static let oldestVersion: Int32 = 3_024_000

    /// The system's library.
    package static let system = SQLiteLibrary()

    /// The file to load instead of the system's library, for tests.
    private let name: String?
    private let oldestVersion: Int32
    private let interception: Interception?

    package init(
        name: String? = nil,
        oldestVersion: Int32 = Self.oldestVersion,
        interception: Interception? = nil
    ) {
        self.name = name
        self.oldestVersion = oldestVersion
        self.interception = interception
    }

    /// The functions of the system's library, loaded once and shared by all databases.
    private static let systemFunctions = Result { () throws(StoreError) in try SQLiteFunctions(loading: nil) }

    /// Loads the library if necessary, and checks its version.
    ///
    /// - Throws: ``StoreError`` with the reason `missingLibrary` or `oldLibrary`.
    func loaded() throws(StoreError) -> SQLiteFunctions {
        let functions = name == nil ? try Self.systemFunctions.get() : try SQLiteFunctions(loading: name)
        let version = functions.table.libversion_number()
        guard version >= oldestVersion else {
            throw .database(
                .oldLibrary,
                "SQLite is version \(Self.text(of: version)), which is too old; install \(Self.text(of: oldestVersion))"
                    + " or later",
                path: nil
            )
        }
        return interception == nil ? functions : SQLiteFunctions(functions.table, interception)
    }

    /// Returns the text of a version number, such as 3.24.0 for 3024000.
    private static func text(of version: Int32) -> String {
        "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
    }
}

/// The functions of a loaded library.
///
/// `@unchecked Sendable`: the table is constant, and C functions can be called from any thread.
final class SQLiteFunctions: @unchecked Sendable {
    let table: waybill_sqlite_functions
    private let interception: SQLiteLibrary.Interception?

    init(_ table: waybill_sqlite_functions, _ interception: SQLiteLibrary.Interception?) {
        self.table = table
        self.interception = interception
    }

    /// Loads a library.
    convenience init(loading name: String?) throws(StoreError) {
        let table = UnsafeMutablePointer<waybill_sqlite_functions>.allocate(capacity: 1)
        defer { table.deallocate() }
        var message: [CChar] = Array(repeating: 0, count: 512)
        let result = waybill_sqlite_load(name, table, &message, Int32(message.count))
        guard result != .done else {
            self.init(table.move(), nil)
            return
        }
        let reason = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let text =
            result == .missing
            ? "SQLite is missing; on Debian and Ubuntu, install the package libsqlite3-0: \(reason)"
            : "SQLite cannot be used: \(reason)"
        throw .database(.missingLibrary, text, path: nil)
    }

    /// Makes a call, through the interception if there is one.
    @inline(__always)
    func call(
        _ function: SQLiteLibrary.Call.Function,
        _ text: @autoclosure () -> String,
        _ make: () -> Int32
    ) -> ResultCode {
        guard let interception else { return ResultCode(rawValue: make()) }
        return ResultCode(rawValue: interception(SQLiteLibrary.Call(function: function, text: text()), make))
    }
}
