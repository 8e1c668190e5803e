import Foundation

/// A horizontal bar chart as SVG, legible on light and dark backgrounds.
package struct BarChart: Sendable {
    package struct Bar: Sendable {
        package let name: String
        package let value: Double
        /// The range between the quartiles of the rounds; nil if there is no spread to show.
        package let range: ClosedRange<Double>?
        /// The label after the bar.
        package let label: String
        /// Whether the bar summarizes the others.
        package let isSummary: Bool

        package init(
            name: String,
            value: Double,
            range: ClosedRange<Double>? = nil,
            label: String,
            isSummary: Bool = false
        ) {
            self.name = name
            self.value = value
            self.range = range
            self.label = label
            self.isSummary = isSummary
        }
    }

    private enum Color {
        static let text = "#7b838d"
        static let bar = "#2f9e7e"
        static let summary = "#3f83d6"
    }

    private let title: String
    /// The label of the line at the value 1; nil for no line.
    private let unit: String?
    private let bars: [Bar]

    private let width: Int
    /// The left edge of the bars, which leaves room for names of 42 characters; longer names move it.
    private let start: Double
    private let end: Double
    private let top: Int
    private let step = 26

    /// Creates a chart, with a line at the value 1 if there is a unit.
    package init(title: String, unit: String? = nil, bars: [Bar]) {
        self.title = title
        self.unit = unit
        self.bars = bars
        let excess = Double(max(0, (bars.map(\.name.count).max() ?? 0) - 42) * 7)
        start = 300 + excess
        width = 800 + Int(excess)
        // Labels of ratios are shorter than other labels.
        end = (unit == nil ? 640 : 730) + excess
        top = unit == nil ? 38 : 62
    }

    /// The SVG document.
    package var svg: String {
        let height = top + bars.count * step + 12
        let lines =
            [
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
                height="\(height)" role="img" font-family="-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" \
                font-size="13" fill="\(Color.text)">
                """,
                "<title>\(title.xmlEscaped)</title>",
                #"<text x="\#(coordinate(start))" y="20" font-size="15" font-weight="600">\#(title.xmlEscaped)</text>"#,
            ]
            + bars.enumerated().map { row($1, at: top + $0 * step) }
            + (unit.map { [line($0, to: height - 10)] } ?? []) + ["</svg>", ""]
        return lines.joined(separator: "\n")
    }

    /// The length of a bar with the value 1.
    private var scale: Double {
        let maximum = bars.map { max($0.value, $0.range?.upperBound ?? 0) }.max() ?? 1
        return (end - start) / (unit == nil && maximum > 0 ? maximum : max(1, maximum))
    }

    private func line(_ unit: String, to bottom: Int) -> String {
        let one = coordinate(start + scale)
        return """
            <path d="M\(one) \(top - 10)V\(bottom)" stroke="\(Color.text)" stroke-dasharray="3 3"/>
            <text x="\(one)" y="\(top - 16)" text-anchor="middle">\(unit.xmlEscaped)</text>
            """
    }

    private func row(_ bar: Bar, at y: Int) -> String {
        let length = bar.value * scale
        let labelStart = start + max(length, (bar.range?.upperBound ?? 0) * scale) + 8
        let spread = bar.range.map { "\n" + whisker($0, at: y + 9) } ?? ""
        let weight = bar.isSummary ? #" font-weight="600""# : ""
        let color = bar.isSummary ? Color.summary : Color.bar
        return """
            <text x="\(coordinate(start - 10))" y="\(y + 14)" text-anchor="end"\(weight)>\(bar.name.xmlEscaped)</text>
            <rect x="\(coordinate(start))" y="\(y)" width="\(coordinate(length))" height="18" rx="2" fill="\(color)"/>
            <text x="\(coordinate(labelStart))" y="\(y + 14)"\(weight)>\(bar.label.xmlEscaped)</text>\(spread)
            """
    }

    /// Returns an error bar between two values: a line with a stroke across each end.
    private func whisker(_ range: ClosedRange<Double>, at y: Int) -> String {
        let ends = (coordinate(start + range.lowerBound * scale), coordinate(start + range.upperBound * scale))
        return """
            <path d="M\(ends.0) \(y)H\(ends.1)M\(ends.0) \(y - 4)v8M\(ends.1) \(y - 4)v8" stroke="\(Color.text)" \
            stroke-width="1.5" fill="none"/>
            """
    }

    private func coordinate(_ value: Double) -> String { String(format: "%.1f", value) }
}

extension String {
    /// The text escaped as XML element content, without characters that XML 1.0 forbids.
    package var xmlEscaped: String {
        let allowed = unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...: true
            default: false
            }
        }
        return String(String.UnicodeScalarView(allowed))
            .replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
    }
}
