/// How the keys of a document become those that containers are asked for.
enum KeyConversion: UInt8 {
    /// They are the same.
    case none
    /// `created_at` becomes `createdAt`.
    case snakeCase
    /// A closure of the user's, which may give each place other keys.
    case custom
}
