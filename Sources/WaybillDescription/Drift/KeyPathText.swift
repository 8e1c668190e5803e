import WaybillJSON

/// The texts of keys that a key path shows in quotes.
enum KeyPathText {
    private static let longest = 100

    /// Returns a key as a JSON string without control characters, cut off if it is long.
    static func quoted(_ key: String) -> String {
        let isLong = key.unicodeScalars.count > longest
        let scalars = key.unicodeScalars.prefix(longest).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .format: " "
            default: scalar
            }
        }
        return JSONValue.string(String(String.UnicodeScalarView(scalars)) + (isLong ? "…" : "")).description
    }
}
