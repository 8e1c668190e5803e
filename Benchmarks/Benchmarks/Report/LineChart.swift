import Foundation

/// A line chart over time as SVG, legible on light and dark backgrounds.
struct LineChart: Sendable {
    struct Line: Sendable {
        let name: String
        /// One value per unit of time, starting at 0.
        let values: [Double]
    }

    private static let text = "#7b838d"
    private static let colours = ["#7b838d", "#d1495b", "#e09f3e", "#2f9e7e", "#3f83d6"]

    let title: String
    /// The unit of time.
    let unit: String
    /// A time to mark, and the label of the mark.
    let mark: (moment: Int, name: String)
    let lines: [Line]

    private let width = 800.0
    private let left = 70.0
    private let right = 780.0
    private let bottom = 360.0

    init(title: String, unit: String, mark: (Int, String), lines: [Line]) {
        self.title = title
        self.unit = unit
        self.mark = mark
        self.lines = lines
    }

    /// The SVG document.
    var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(bottom) + 50)" width="\(Int(width))" \
        height="\(Int(bottom) + 50)" role="img" font-family="-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" \
        font-size="13" fill="\(Self.text)">
        <title>\(title.xmlEscaped)</title>
        <text x="\(number(left))" y="20" font-size="15" font-weight="600">\(title.xmlEscaped)</text>
        \(legend)
        \(grid)
        \(marking)
        \(paths)
        </svg>

        """
    }

    /// The top edge of the plot, below the legend.
    private var top: Double { 52 + 20 * Double((lines.count + 1) / 2) }

    private var end: Int { max(1, lines.map(\.values.count).max() ?? 1) }

    /// The maximum of the vertical axis, and the distance between its grid lines.
    private var scale: (most: Double, step: Double) {
        let most = max(1, lines.flatMap(\.values).max() ?? 1)
        let power = pow(10, (log10(most)).rounded(.down))
        let step = [0.2, 0.5, 1, 2].map { $0 * power }.first { most / $0 <= 6 } ?? 2 * power
        return ((most / step).rounded(.up) * step, step)
    }

    private var legend: String {
        lines.enumerated().map { place, line in
            let x = left + Double(place % 2) * 330
            let y = 44 + Double(place / 2) * 20
            return """
                <path d="M\(number(x)) \(number(y - 4))h22" stroke="\(colour(place))" stroke-width="3"/>\
                <text x="\(number(x + 30))" y="\(number(y))">\(line.name.xmlEscaped)</text>
                """
        }.joined(separator: "\n")
    }

    private var grid: String {
        let (most, step) = scale
        let rows = stride(from: 0, through: most, by: step).map { value in
            """
            <path d="M\(number(left)) \(number(y(value)))H\(number(right))" stroke="\(Self.text)" stroke-opacity="0.25"/>\
            <text x="\(number(left - 8))" y="\(number(y(value) + 4))" text-anchor="end">\(Int(value))</text>
            """
        }
        let columns = stride(from: 0, through: end, by: 5).map { moment in
            """
            <text x="\(number(x(moment)))" y="\(number(bottom + 20))" text-anchor="middle">\(moment)</text>
            """
        }
        let name = """
            <text x="\(number(right))" y="\(number(bottom + 40))" text-anchor="end">\(unit.xmlEscaped)</text>
            """
        return (rows + columns + [name]).joined(separator: "\n")
    }

    private var marking: String {
        let place = number(x(mark.moment))
        return """
            <path d="M\(place) \(number(top))V\(number(bottom))" stroke="\(Self.text)" stroke-dasharray="3 3"/>
            <text x="\(number(x(mark.moment) + 6))" y="\(number(top + 12))">\(mark.name.xmlEscaped)</text>
            """
    }

    private var paths: String {
        lines.enumerated().map { place, line in
            let points = line.values.enumerated().map { "\(number(x($0) + width(of: 0.5))) \(number(y($1)))" }
            return """
                <path d="M\(points.joined(separator: "L"))" fill="none" stroke="\(colour(place))" stroke-width="2" \
                stroke-linejoin="round"/>
                """
        }.joined(separator: "\n")
    }

    private func colour(_ place: Int) -> String { Self.colours[place % Self.colours.count] }

    private func width(of time: Double) -> Double { (right - left) * time / Double(end) }

    private func x(_ moment: Int) -> Double { left + width(of: Double(moment)) }

    private func y(_ value: Double) -> Double { bottom - (bottom - top) * value / scale.most }

    private func number(_ value: Double) -> String { String(format: "%.1f", value) }
}
