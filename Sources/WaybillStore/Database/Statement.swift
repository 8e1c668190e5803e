import WaybillSystem

/// A prepared statement.
final class Statement {
    let functions: SQLiteFunctions
    let pointer: OpaquePointer
    let sql: String
    let columnCount: Int
    private let parameterCount: Int
    /// Whether rows are being read; a nested query with the same text then needs another statement.
    var isInUse = false

    /// `SQLITE_TOOBIG`, for a length that does not fit in 32 bits.
    private static let tooBig: Int32 = 18

    /// The address to bind for an empty value, because a null pointer would bind null.
    private nonisolated(unsafe) static let empty = UnsafeRawPointer(UnsafeMutablePointer<CChar>.allocate(capacity: 1))

    /// `SQLITE_TRANSIENT`, which makes SQLite copy the bytes.
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

    /// Binds values to the parameters, and returns `ok` or the result code of the first failure.
    ///
    /// Returns nil if the number of values differs from the number of parameters.
    func bind(_ values: [DatabaseValue]) -> ResultCode? {
        guard values.count == parameterCount else { return nil }
        for (offset, value) in values.enumerated() {
            let code = bind(value, at: Int32(offset + 1))
            if code != 0 { return ResultCode(rawValue: code) }
        }
        return .ok
    }

    private func bind(_ value: DatabaseValue, at index: Int32) -> Int32 {
        let table = functions.table
        switch value {
        case .null: return table.bind_null(pointer, index)
        case .integer(let number): return table.bind_int64(pointer, index, number)
        case .real(let number): return table.bind_double(pointer, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                guard let count = Int32(exactly: bytes.count) else { return Self.tooBig }
                return bytes.withMemoryRebound(to: CChar.self) {
                    table.bind_text(
                        pointer,
                        index,
                        $0.baseAddress ?? Self.empty.assumingMemoryBound(to: CChar.self),
                        count,
                        Self.copied
                    )
                }
            }
        case .blob(let data):
            return data.withUnsafeBytes { bytes in
                guard let count = Int32(exactly: bytes.count) else { return Self.tooBig }
                return table.bind_blob(pointer, index, bytes.baseAddress ?? Self.empty, count, Self.copied)
            }
        }
    }

    /// Advances to the next row, or to the end.
    @inline(__always)
    func step() -> ResultCode {
        functions.call(.step, sql) { functions.table.step(pointer) }
    }

    /// Resets the statement for another execution.
    func reset() {
        // The result is that of the last step, which has been handled already.
        _ = functions.table.reset(pointer)
        if parameterCount > 0 { _ = functions.table.clear_bindings(pointer) }
        isInUse = false
    }
}
