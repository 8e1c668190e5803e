/// A character as a line of a terminal or a log shows it: with a width, and never one that acts instead of showing.
struct VisibleCharacter: Equatable {
    /// The mark for any text that must not be shown.
    static let redacted = VisibleCharacter(text: "‹redacted›", width: 10)

    static let space = VisibleCharacter(text: " ", width: 1)

    /// The printed text.
    let text: String

    /// The columns that it takes in a fixed-width font: 2 for most East Asian characters and emoji.
    let width: Int

    /// Makes a character visible.
    ///
    /// A tab becomes two spaces, a control character its picture (`␀`), and what is invisible or changes the
    /// direction of the text its code (`‹U+202E›`), unless it is part of a larger character, such as an emoji's joiner.
    init(_ character: Character) {
        guard let scalar = character.unicodeScalars.first else {
            self.init(text: "", width: 0)
            return
        }
        switch scalar.properties.generalCategory {
        case _ where scalar == "\t":
            self.init(text: "  ", width: 2)
        case .control where character == "\r\n":
            self.init(text: "␍␊", width: 2)
        case .control where scalar.value < 0x20:
            self.init(text: Self.picture(0x2400 + scalar.value), width: 1)
        case .control where scalar.value == 0x7F:
            self.init(text: "␡", width: 1)
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
            self.init(code: scalar)
        default:
            self.init(text: String(character), width: Self.isWide(character, scalar) ? 2 : 1)
        }
    }

    init(text: String, width: Int) {
        self.text = text
        self.width = width
    }

    private init(code scalar: UnicodeScalar) {
        let number = String(scalar.value, radix: 16, uppercase: true)
        let text = "‹U+" + String(repeating: "0", count: max(0, 4 - number.count)) + number + "›"
        self.init(text: text, width: text.count)
    }

    private static func picture(_ value: UInt32) -> String { UnicodeScalar(value).map { String($0) } ?? "" }

    /// Whether a character takes two columns: emoji, and the wide ranges of Unicode's East Asian Width (UAX #11).
    private static func isWide(_ character: Character, _ scalar: UnicodeScalar) -> Bool {
        if scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return true }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return true
        default:
            return false
        }
    }
}
