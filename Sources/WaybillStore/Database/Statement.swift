import WaybillSystem

/// A prepared statement of a connection.
final class Statement {
    let functions: SQLiteFunctions
    let pointer: OpaquePointer
    let sql: String
    let columnCount: Int
    private let parameterCount: Int
    /// Whether a query is going through its rows: a query inside of it with the same text needs another statement.
    var isInUse = false

    /// The result for a value beyond the limit on lengths, which is below that of the type of lengths.
    private static let tooBig: Int32 = 18

    /// The address of no bytes: a null pointer would bind null.
    private nonisolated(unsafe) static let empty = UnsafeRawPointer(UnsafeMutablePointer<CChar>.allocate(capacity: 1))

    /// The mark of bytes that SQLite is to copy, `SQLITE_TRANSIENT`.
    private static var copied: (@convention(c) (UnsafeMutableRawPointer?) -> Void)? {
        unsafeBitCast(-1, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?.self)
    }

    init(_ functions: SQLiteFunctions, _ pointer: OpaquePointer, sql: String) {
        self.functions = functions
        self.pointer = pointer
        self.sql = sql
        columnCount = Int(functions.table.column_count(pointer))
        parameterCount = Int(functions.table.bind_parameter_count(pointer))
    }

    deinit { _ = functions.table.finalize(pointer) }

    /// Gives the parameters their values; returns the result of the first one that fails, or nil if their number is
    /// wrong.
    func bind(_ values: [DatabaseValue]) -> ResultCode? {
        guard values.count == parameterCount else { return nil }
        for (place, value) in values.enumerated() {
            let code = bind(value, at: Int32(place + 1))
            if code != 0 { return ResultCode(rawValue: code) }
        }
        return .ok
    }

    private func bind(_ value: DatabaseValue, at place: Int32) -> Int32 {
        let table = functions.table
        switch value {
        case .null: return table.bind_null(pointer, place)
        case .integer(let number): return table.bind_int64(pointer, place, number)
        case .real(let number): return table.bind_double(pointer, place, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                guard let count = Int32(exactly: bytes.count) else { return Self.tooBig }
                return bytes.withMemoryRebound(to: CChar.self) {
                    table.bind_text(
                        pointer,
                        place,
                        $0.baseAddress ?? Self.empty.assumingMemoryBound(to: CChar.self),
                        count,
                        Self.copied
                    )
                }
            }
        case .blob(let data):
            return data.withUnsafeBytes { bytes in
                guard let count = Int32(exactly: bytes.count) else { return Self.tooBig }
                return table.bind_blob(pointer, place, bytes.baseAddress ?? Self.empty, count, Self.copied)
            }
        }
    }

    /// Goes to the next row, or to the end.
    @inline(__always)
    func step() -> ResultCode {
        functions.call(.step, sql) { functions.table.step(pointer) }
    }

    /// Makes it ready for another run.
    func reset() {
        // Its result is that of the step before, which is known.
        _ = functions.table.reset(pointer)
        if parameterCount > 0 { _ = functions.table.clear_bindings(pointer) }
        isInUse = false
    }
}
