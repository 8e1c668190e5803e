/// Lookup tables that classify the bytes of text containing JSON and URLs.
///
/// Tables are fast enough to check every byte of a long body.
struct ByteKinds: Sendable {
    enum Kind: Sendable {
        case other, quotationMark, backslash, number, word, beginsItem, colon
    }

    static let shared = ByteKinds()

    let all: [Kind]
    let isWord: [Bool]
    let isSpace: [Bool]
    /// Whether a byte can be part of a query item's name.
    let isName: [Bool]
    /// Whether a byte ends a query item in a URL within text.
    let endsItem: [Bool]
    let continuesNumber: [Bool]
    /// Whether a byte can directly follow a JSON string.
    let follows: [Bool]
    /// Whether a byte ends a number or a word.
    let endsWord: [Bool]
    /// Whether a byte in a string ends the string, begins an escape, or indicates a query item or user info.
    let isOfString: [Bool]

    private init() {
        let table = { (isMember: (UInt8) -> Bool) in (0...UInt8.max).map(isMember) }
        let isDigit = { (byte: UInt8) in 0x30...0x39 ~= byte }
        let isLetter = { (byte: UInt8) in 0x41...0x5A ~= byte || 0x61...0x7A ~= byte }
        let isWordByte = { (byte: UInt8) in isDigit(byte) || isLetter(byte) || byte == UInt8(ascii: "_") }
        let isSpaceByte = { (byte: UInt8) in " \t\n\r".utf8.contains(byte) }
        isWord = table(isWordByte)
        isSpace = table(isSpaceByte)
        isName = table { isWordByte($0) || "-.~%[]".utf8.contains($0) }
        endsItem = table { $0 <= 0x20 || "&#;\"'<>()\\`,".utf8.contains($0) }
        continuesNumber = table { isDigit($0) || "+-.eE".utf8.contains($0) }
        follows = table { isSpaceByte($0) || ",]}:".utf8.contains($0) }
        endsWord = table { $0 <= 0x20 || ",]}:\"[{".utf8.contains($0) }
        isOfString = table { "\"\n\r\\=@".utf8.contains($0) }
        all = (0...UInt8.max).map { byte in
            switch byte {
            case UInt8(ascii: "\""): .quotationMark
            case UInt8(ascii: "\\"): .backslash
            case UInt8(ascii: "-"): .number
            case _ where isDigit(byte): .number
            case _ where isLetter(byte): .word
            case _ where "?&#;".utf8.contains(byte): .beginsItem
            case UInt8(ascii: ":"): .colon
            default: .other
            }
        }
    }
}
