/// One line of text, truncated around a location, and a line that marks the location.
///
/// ```text
/// …"id": 3, "price": "cheap", "tags": []}…
///                    ^~~~~~~
/// ```
struct TextExcerpt: Equatable {
    /// The two lines.
    let lines: [String]

    /// The maximum width of the displayed text in columns, excluding the `…` at either end.
    static let width = 72

    /// The maximum width of the marked location in columns.
    static let markedWidth = 44

    /// The number of bytes examined on either side of the location; sufficient for the width in any script.
    static let reach = 600

    /// Creates an excerpt around a range, with hidden text replaced by `‹redacted›`; nil if nothing would be visible.
    ///
    /// Only the first line of the range is shown. `hidden` must be sorted and must not overlap.
    init?(around range: Range<Int>, of text: JSONText, hiding hidden: [Range<Int>] = []) {
        let line = text.line(ofByte: range.lowerBound)
        let lower = max(line.lowerBound, UTF8Sequence.start(in: text.bytes, at: range.lowerBound - Self.reach))
        let upper = min(line.upperBound, UTF8Sequence.start(in: text.bytes, at: range.lowerBound + Self.reach))
        let window = lower..<max(lower, upper)

        var marked = range.clamped(to: window)
        for secret in hidden where secret.overlaps(marked) || secret.contains(marked.lowerBound) {
            let markedLower = secret.contains(marked.lowerBound) ? secret.lowerBound : marked.lowerBound
            let markedUpper = secret.contains(marked.upperBound) ? secret.upperBound : marked.upperBound
            marked = (markedLower..<markedUpper).clamped(to: window)
        }

        let cells = { (range: Range<Int>) in Self.cells(of: range, in: text, hiding: hidden) }
        var before = cells(window.lowerBound..<marked.lowerBound)
        var place = cells(marked)
        var after = cells(marked.upperBound..<window.upperBound)
        var isCutBefore = window.lowerBound > line.lowerBound || line.lowerBound == text.firstShown && text.isCut.before
        var isCutAfter = window.upperBound < line.upperBound || line.upperBound == text.bytes.count && text.isCut.after

        if isCutBefore || isCutAfter || Self.width(of: before + place + after) > Self.width {
            let whole = place.count
            place = Self.prefix(of: place, width: Self.markedWidth)
            if place.count < whole {
                after = []
                isCutAfter = true
            }
            let rest = Self.width - Self.width(of: place)
            let shownBefore = Self.prefix(
                of: before.reversed(),
                width: max(rest / 2, rest - Self.width(of: after))
            )
            isCutBefore = isCutBefore || shownBefore.count < before.count
            before = shownBefore.reversed()
            let shownAfter = Self.prefix(of: after, width: rest - Self.width(of: before))
            isCutAfter = isCutAfter || shownAfter.count < after.count
            after = shownAfter
        }

        let cellsShown = before + place + after
        guard cellsShown.contains(where: { $0 != .redacted && $0 != .space }) else { return nil }
        let shown = (isCutBefore ? "…" : "") + cellsShown.map(\.text).joined() + (isCutAfter ? "…" : "")
        let indentation = String(repeating: " ", count: Self.width(of: before) + (isCutBefore ? 1 : 0))
        let marks = "^" + String(repeating: "~", count: max(0, Self.width(of: place) - 1))
        lines = [shown, indentation + marks]
    }

    private static func cells(
        of range: Range<Int>,
        in text: JSONText,
        hiding hidden: [Range<Int>]
    ) -> [VisibleCharacter] {
        var cells: [VisibleCharacter] = []
        var index = range.lowerBound
        let append = { (cells: inout [VisibleCharacter], range: Range<Int>) in
            cells += String(decoding: text.bytes[range], as: UTF8.self).map { VisibleCharacter($0) }
        }
        for secret in hidden where secret.overlaps(range) {
            let secret = secret.clamped(to: range)
            append(&cells, index..<secret.lowerBound)
            cells.append(.redacted)
            index = secret.upperBound
        }
        append(&cells, index..<range.upperBound)
        return cells
    }

    private static func width(of cells: [VisibleCharacter]) -> Int { cells.reduce(0) { $0 + $1.width } }

    /// Returns the longest prefix of the characters that fits into a width.
    private static func prefix(of cells: [VisibleCharacter], width: Int) -> [VisibleCharacter] {
        var rest = width
        return Array(
            cells.prefix {
                rest -= $0.width
                return rest >= 0
            }
        )
    }
}

/// A character as displayed in a terminal or log, and its width; control characters are replaced.
struct VisibleCharacter: Equatable {
    /// The replacement for hidden text.
    static let redacted = VisibleCharacter(text: "‹redacted›", width: 10)

    static let space = VisibleCharacter(text: " ", width: 1)

    /// The printed text.
    let text: String

    /// The number of columns in a fixed-width font: 2 for most East Asian characters and emoji.
    let width: Int

    /// Creates the visible form of a character.
    ///
    /// A tab becomes two spaces, and a control character its picture (`␀`). Invisible characters and those that change
    /// the text direction become their code (`‹U+202E›`), unless they are part of a larger character, such as a joiner
    /// in an emoji.
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

    /// Whether a character occupies two columns: emoji, and the wide ranges of Unicode's East Asian Width (UAX #11).
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
