import WaybillSystem

extension DecodingDiagnosis.Finding {
    /// The text, and what must not be shown of it.
    struct Document {
        let text: JSONText
        let hidden: [Range<Int>]

        func words(for value: Range<Int>) -> String {
            text.words(for: value, quoting: !hidden.contains { $0.overlaps(value) })
        }

        /// Returns the decoder's own words in a form that can follow a summary.
        func reason(_ context: DecodingError.Context) -> String {
            var reason = context.debugDescription
            // What the bytes do not show may be hidden, too.
            guard !text.isTruncated, !text.isRepeated(anyOf: hidden, in: reason) else { return "" }
            if reason.hasSuffix(".") { reason.removeLast() }
            return reason.isEmpty ? "" : ": " + JSONText.shortened(reason, to: 200)
        }

        /// Returns a value and the decoder's words about it, some of which begin with the value themselves.
        func sentence(of value: Range<Int>, _ context: DecodingError.Context) -> String {
            let (words, reason) = (words(for: value), reason(context))
            let content = bytes(of: value)
            for lead in [": \"\(content.prefix(60))\" ", ": The number \(content) "] where reason.hasPrefix(lead) {
                return words + " " + reason.dropFirst(lead.count)
            }
            return "cannot decode \(words)\(reason)"
        }

        /// Returns the strategy that reads a value as a date, as a declaration writes it; nil if none is known.
        func dateStrategy(for value: Range<Int>) -> String? {
            guard !hidden.contains(where: { $0.overlaps(value) }) else { return nil }
            switch text.bytes[value.lowerBound] {
            case UInt8(ascii: "\""): return DateForm(text.string(at: value))?.strategy
            case UInt8(ascii: "-"), 0x30...0x39:
                return DateForm(digits: text.bytes[value].prefix { 0x30...0x39 ~= $0 }.count).strategy
            default: return nil
            }
        }

        /// Returns the text of a number, or the characters of a string.
        private func bytes(of value: Range<Int>) -> String {
            text.bytes[value.lowerBound] == UInt8(ascii: "\"")
                ? text.string(at: value) : String(decoding: text.bytes[value].prefix(200), as: UTF8.self)
        }

        /// Whether the decoder reports only that the document is not valid.
        static func isUnspecific(_ context: DecodingError.Context) -> Bool {
            context.debugDescription.isEmpty || context.debugDescription.contains("not valid JSON")
        }
    }
}
