/// The time axis of a waterfall, with long idle times cut out.
struct ReportAxis {
    /// An idle time cut from the axis, in milliseconds; `end` is when it ends.
    struct Cut {
        var end: Double
        var duration: Double
    }

    /// A tick mark, at a position from 0 to 1.
    struct Tick {
        var position: Double
        var label: String
    }

    private struct Block {
        var start: Double
        var end: Double
        /// The length of the axis before the block, in milliseconds.
        var shown = 0.0
    }

    private var blocks: [Block] = []
    private var length = 1.0

    /// The idle times cut from the axis, in order.
    private(set) var cuts: [Cut] = []

    /// Creates an axis for calls.
    ///
    /// - Parameter spans: the start and end times of the calls, in milliseconds since the first call of the log, sorted
    ///   by start time.
    init(_ spans: [(start: Double, end: Double)]) {
        for span in spans {
            if let last = blocks.last, span.start <= last.end {
                blocks[blocks.count - 1].end = max(last.end, span.end)
            } else {
                blocks.append(Block(start: span.start, end: span.end))
            }
        }
        guard let first = blocks.first, let last = blocks.last else { return }
        let active = blocks.reduce(0) { $0 + $1.end - $1.start }
        let isLong = { (gap: Double) in gap > max(1000, active * Self.longestGap) }
        let gaps = zip(blocks, blocks.dropFirst()).map { $1.start - $0.end }
        let count = gaps.count(where: isLong)
        let width = count == 0 ? 0 : active * Self.shownGaps / Double(count)
        var joined = [first]
        for (gap, block) in zip(gaps, blocks.dropFirst()) {
            if isLong(gap) {
                var block = block
                let before = joined[joined.count - 1]
                block.shown = before.shown + before.end - before.start + width
                cuts.append(Cut(end: block.start, duration: gap))
                joined.append(block)
            } else {
                joined[joined.count - 1].end = block.end
            }
        }
        blocks = joined
        length = max(0.001, (joined.last ?? last).shown + last.end - (joined.last ?? last).start)
    }

    /// The longest idle time that is not cut, as a fraction of the active time.
    private static let longestGap = 0.2

    /// The total width of the cuts, as a fraction of the active time.
    private static let shownGaps = 0.1

    /// Returns the position of a time, from 0 to 1.
    func position(of moment: Double) -> Double {
        var (low, high) = (0, blocks.count)
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle].start <= moment { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return 0 }
        let block = blocks[low - 1]
        return min(1, (block.shown + min(moment, block.end) - block.start) / length)
    }

    /// The tick marks: at the start, at round times, and after each cut.
    var ticks: [Tick] {
        let step = Self.step(for: length)
        var ticks: [Tick] = []
        for block in blocks {
            let first = Int((block.start / step).rounded(.up))
            let round = (first...max(first, Int(block.end / step))).map { Double($0) * step }
            for moment in [block.start] + round where moment <= block.end {
                let position = (block.shown + moment - block.start) / length
                guard position < 0.93, position - (ticks.last?.position ?? -1) > 0.11 else { continue }
                ticks.append(Tick(position: position, label: Self.label(of: moment, step: step)))
            }
        }
        return ticks
    }

    /// Returns the label of a time, with enough digits to distinguish neighboring ticks.
    private static func label(of moment: Double, step: Double) -> String {
        if moment < 1000 || step >= 1000 { return ReportTime.text(moment) }
        let digits = step >= 100 ? 1 : step >= 10 ? 2 : 3
        let rounded = Int((moment / (step >= 100 ? 100 : step >= 10 ? 10 : 1)).rounded())
        let text = String(rounded)
        return "\(text.dropLast(digits)).\(text.suffix(digits)) s"
    }

    /// Returns the smallest step of 1, 2 or 5 times a power of ten that divides a length into at most eight parts.
    private static func step(for length: Double) -> Double {
        var power = 0.001
        while power * 10 < length / 8 { power *= 10 }
        return [1.0, 2, 5, 10].map { $0 * power }.first { length / $0 <= 8 } ?? length
    }
}
