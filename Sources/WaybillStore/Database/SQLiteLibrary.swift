internal import CWaybillSQLite
import WaybillSystem

/// The SQLite of the system, as a database is to call it: the table of its functions, and what stands before them.
package struct SQLiteLibrary: Sendable {
    /// A call that may fail, for tests that make it fail.
    package struct Call: Sendable, Hashable {
        /// The functions whose result a test can replace: those that read or write a file.
        package enum Function: Sendable, Hashable, CaseIterable {
            case open
            case prepare
            case step
        }

        package let function: Function
        /// The path that is opened, or the statement.
        package let text: String
    }

    /// A function that stands before calls: it makes the call and returns its result, or returns another one.
    package typealias Interception = @Sendable (_ call: Call, _ make: () -> Int32) -> Int32

    /// The oldest version that will do, as SQLite writes it: 3.24.0, the first one with `ON CONFLICT … DO UPDATE`.
    ///
    /// Debian 10 has 3.27, RHEL 8 has 3.26, macOS 13 has 3.39. Statements must not use what is newer: `RETURNING` is of
    /// 3.35, `STRICT` of 3.37, the operators of JSON of 3.38.
    package static let oldestVersion: Int32 = 3_024_000

    /// The library of the system.
    package static let system = SQLiteLibrary()

    /// The file that is loaded in place of the system's library; for tests.
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

    /// The functions of the system's library, loaded once for all databases.
    private static let systemFunctions = Result { () throws(StoreError) in try SQLiteFunctions(loading: nil) }

    /// Loads the library unless it is loaded.
    ///
    /// - Throws: ``StoreError`` with the reason `missingLibrary` or `oldLibrary`.
    func loaded() throws(StoreError) -> SQLiteFunctions {
        let functions = name == nil ? try Self.systemFunctions.get() : try SQLiteFunctions(loading: name)
        let version = functions.table.libversion_number()
        guard version >= oldestVersion else {
            throw .database(
                .oldLibrary,
                "SQLite is version \(Self.text(of: version)), and \(Self.text(of: oldestVersion)) is the oldest that"
                    + " will do",
                path: nil
            )
        }
        return interception == nil ? functions : SQLiteFunctions(functions.table, interception)
    }

    /// The text of a version number: 3.24.0 for 3024000.
    private static func text(of version: Int32) -> String {
        "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
    }
}

/// The functions of a loaded library.
///
/// `@unchecked Sendable`: the table is constant, and functions of C belong to no thread.
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

    /// Makes a call, unless a test decides otherwise.
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
