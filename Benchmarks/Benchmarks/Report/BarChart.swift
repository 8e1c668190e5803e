import Foundation

/// A chart of horizontal bars, as SVG, in colours that can be read on light and dark backgrounds.
struct BarChart: Sendable {
    struct Bar: Sendable {
        let name: String
        let value: Double
        /// Whether the bar sums up the others.
        let isSummary: Bool
    }

    private enum Colour {
        static let text = "#7b838d"
        static let bar = "#2f9e7e"
        static let summary = "#3f83d6"
    }

    let title: String
    /// The label of a value of 1.
    let unit: String
    let bars: [Bar]

    private let width = 800
    private let start = 300.0
    private let end = 730.0
    private let top = 62
    private let step = 26

    init(title: String, unit: String, bars: [Bar]) {
        self.title = title
        self.unit = unit
        self.bars = bars
    }

    /// The SVG text.
    var svg: String {
        let height = top + bars.count * step + 12
        let one = coordinate(start + scale)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
            height="\(height)" role="img" font-family="-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" \
            font-size="13" fill="\(Colour.text)">
            <title>\(escaped(title))</title>
            <text x="\(coordinate(start))" y="20" font-size="15" font-weight="600">\(escaped(title))</text>
            \(bars.enumerated().map { row($1, at: top + $0 * step) }.joined(separator: "\n"))
            <path d="M\(one) \(top - 10)V\(height - 10)" stroke="\(Colour.text)" stroke-dasharray="3 3"/>
            <text x="\(one)" y="\(top - 16)" text-anchor="middle">\(escaped(unit))</text>
            </svg>

            """
    }

    /// The length of 1.
    private var scale: Double { (end - start) / max(1, bars.map(\.value).max() ?? 1) }

    private func row(_ bar: Bar, at y: Int) -> String {
        let length = bar.value * scale
        let weight = bar.isSummary ? #" font-weight="600""# : ""
        let colour = bar.isSummary ? Colour.summary : Colour.bar
        return """
            <text x="\(coordinate(start - 10))" y="\(y + 14)" text-anchor="end"\(weight)>\(escaped(bar.name))</text>
            <rect x="\(coordinate(start))" y="\(y)" width="\(coordinate(length))" height="18" rx="2" fill="\(colour)"/>
            <text x="\(coordinate(start + length + 8))" y="\(y + 14)"\(weight)>\(String(format: "%.1f ×", bar.value))</text>
            """
    }

    private func coordinate(_ value: Double) -> String { String(format: "%.1f", value) }

    private func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }
}
