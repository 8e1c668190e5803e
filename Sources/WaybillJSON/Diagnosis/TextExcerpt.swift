/// One line of a text, cut around a place, and a line of marks below that place.
///
/// ```text
/// …"id": 3, "price": "cheap", "tags": []}…
///                    ^~~~~~~
/// ```
struct TextExcerpt: Equatable {
    /// The two lines.
    let lines: [String]

    /// The columns of the text that are shown, apart from the `…` at a cut.
    static let width = 72

    /// The columns of the place itself that are shown.
    static let markedWidth = 44

    /// The bytes on either side of the place that are read: enough for the width in any script.
    static let reach = 600

    /// Cuts the excerpt around some bytes, with `‹redacted›` for hidden text; nil if nothing of the line would be seen.
    ///
    /// Only the first line of the bytes is shown. `hidden` must be in order and must not overlap.
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

    /// Returns the first cells that fit into a width.
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
