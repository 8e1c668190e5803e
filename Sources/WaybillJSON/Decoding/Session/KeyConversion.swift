/// The conversion of a document's keys to those of containers.
enum KeyConversion: UInt8 {
    /// They are the same.
    case none
    /// `created_at` becomes `createdAt`.
    case snakeCase
    /// A closure of the user's, which may give each place other keys.
    case custom
}
