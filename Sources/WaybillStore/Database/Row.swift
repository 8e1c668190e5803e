import WaybillSystem

/// The current row of a statement, valid only in the closure that receives it.
///
/// It cannot be copied, because the next row replaces its values. Column numbers start at 0; a column that does not
/// exist is null.
package struct Row: ~Copyable {
    private let statement: Statement

    init(_ statement: Statement) { self.statement = statement }

    /// SQLite's storage class codes.
    private enum StorageClass {
        static let integer: Int32 = 1
        static let real: Int32 = 2
        static let text: Int32 = 3
        static let blob: Int32 = 4
    }

    /// The number of columns.
    package var count: Int { statement.columnCount }

    private func storageClass(_ column: Int) -> Int32 {
        guard column >= 0, column < statement.columnCount else { return 0 }
        return statement.functions.table.column_type(statement.pointer, Int32(column))
    }

    /// The value of a column.
    package subscript(_ column: Int) -> DatabaseValue {
        switch storageClass(column) {
        case StorageClass.integer: DatabaseValue(integer(column))
        case StorageClass.real: real(column).map(DatabaseValue.real) ?? .null
        case StorageClass.text: DatabaseValue(text(column))
        case StorageClass.blob: DatabaseValue(blob(column))
        default: .null
        }
    }

    /// Returns the integer in a column; nil for any other storage class.
    package func integer(_ column: Int) -> Int64? {
        guard storageClass(column) == StorageClass.integer else { return nil }
        return statement.functions.table.column_int64(statement.pointer, Int32(column))
    }

    /// Returns the number in a column, integer or real; nil for any other storage class.
    package func real(_ column: Int) -> Double? {
        let type = storageClass(column)
        guard type == StorageClass.real || type == StorageClass.integer else { return nil }
        return statement.functions.table.column_double(statement.pointer, Int32(column))
    }

    /// Returns the text in a column; nil for any other storage class.
    package func text(_ column: Int) -> String? {
        guard storageClass(column) == StorageClass.text else { return nil }
        return withBytes(column) { bytes in String(decoding: bytes, as: UTF8.self) }
    }

    /// Returns the bytes of a blob or text; nil for any other storage class.
    package func blob(_ column: Int) -> Data? {
        let type = storageClass(column)
        guard type == StorageClass.blob || type == StorageClass.text else { return nil }
        return withBytes(column) { bytes in Data(bytes) }
    }

    /// Calls a closure with the bytes of a blob or text, without copying them; the buffer is empty for other storage
    /// classes.
    package func withBytes<Result, Failure: Error>(
        _ column: Int,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let type = storageClass(column)
        guard type == StorageClass.blob || type == StorageClass.text else {
            return try body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        let table = statement.functions.table
        // Get the address first: that call can convert the value's encoding, and the length refers to the result.
        let start: UnsafeRawPointer? =
            type == StorageClass.blob
            ? table.column_blob(statement.pointer, Int32(column))
            : table.column_text(statement.pointer, Int32(column)).map { UnsafeRawPointer($0) }
        let count = start == nil ? 0 : Int(table.column_bytes(statement.pointer, Int32(column)))
        return try body(UnsafeRawBufferPointer(start: start, count: count))
    }
}
