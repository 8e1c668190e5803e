import WaybillSystem

extension DecodingDiagnosis {
    /// An error message, and the bytes that it describes.
    struct Finding {
        var summary: String
        var path: [any CodingKey]
        var place: Range<Int>?
        var nearestKey: String?

        /// The bytes to show in the excerpt, if they differ from `place`.
        var shown: Range<Int>?

        init(_ error: DecodingError, in text: JSONText, hiding hidden: [Range<Int>]) {
            let document = Document(text: text, hidden: hidden)
            switch error {
            case .typeMismatch(let type, let context):
                self.init(expecting: type, context, in: document)
            case .valueNotFound(let type, let context):
                self.init(missing: type, context, in: document)
            case .keyNotFound(let key, let context):
                self.init(missingKey: key, context, in: document)
            case .dataCorrupted(let context):
                self.init(corrupted: context, in: document)
            @unknown default:
                self.init(summary: "the document could not be decoded", path: [])
            }
            shown = place.flatMap { text.member(toShowOf: $0, named: nearestKey) }
        }

        init(summary: String, path: [any CodingKey], place: Range<Int>? = nil) {
            self.summary = summary
            self.path = path
            self.place = place
        }

        private init(expecting type: Any.Type, _ context: DecodingError.Context, in document: Document) {
            let type = context.debugDescription.hasSuffix(" instead of a date.") ? Date.self : type
            self.init(summary: "expected \(Self.words(for: type))", path: context.codingPath)
            // The opening bracket of a truncated value is enough to show its kind.
            place = document.text.location(of: path)?.value ?? document.text.opening(of: path)
            if let place {
                summary += ", found \(document.words(for: place))"
                if type is Date.Type, let strategy = document.dateStrategy(for: place) {
                    summary += "; declare Decode(dates: \(strategy))"
                }
            } else {
                summary += document.reason(context)
            }
        }

        private init(missing type: Any.Type, _ context: DecodingError.Context, in document: Document) {
            self.init(expecting: type, context, in: document)
            guard place == nil, let index = path.last?.intValue,
                let array = document.text.location(of: path.dropLast())?.value,
                document.text.bytes[array].first == UInt8(ascii: "[")
            else { return }
            place = array
            summary =
                "expected \(Self.words(for: type)) at index \(index), found the end of \(document.words(for: array))"
        }

        private init(missingKey key: any CodingKey, _ context: DecodingError.Context, in document: Document) {
            self.init(
                summary: "the key \"\(CodingPathText.quoted(key.stringValue))\" is missing",
                path: context.codingPath,
                place: document.text.location(of: context.codingPath)?.value
            )
            guard let keys = document.text.keys(at: path) else { return }
            nearestKey = SimilarKeys.nearest(to: key.stringValue, among: keys)
            if let nearestKey {
                summary += "; did you mean \"\(CodingPathText.quoted(nearestKey))\"?"
            } else if keys.isEmpty {
                summary += "; the object is empty"
            } else {
                summary += keys.count == 1 ? "; there is only " : "; there are "
                summary += Self.list(keys)
            }
        }

        private init(corrupted context: DecodingError.Context, in document: Document) {
            let text = document.text
            let location = text.location(of: context.codingPath)
            if !text.isTruncated, context.codingPath.isEmpty || location == nil, let error = text.syntaxError() {
                self.init(error, in: document)
            } else if let location, !(context.codingPath.isEmpty && Document.isUnspecific(context)) {
                self.init(
                    summary: document.sentence(of: location.value, context),
                    path: context.codingPath,
                    place: location.value
                )
            } else if location != nil {
                self.init(rejected: text)
            } else {
                self.init(summary: "cannot decode the value" + document.reason(context), path: context.codingPath)
            }
        }

        init(_ error: JSONSyntaxError, in document: Document) {
            let text = document.text
            var offset = error.offset
            // If the text ends prematurely, the excerpt shows the end of its last nonblank line.
            if offset == text.bytes.count {
                offset = (text.bytes.lastIndex { !" \n\r\t".utf8.contains($0) } ?? text.start - 1) + 1
            }
            let isHidden = document.hidden.contains { $0.contains(error.offset) }
            self.init(
                summary: "expected \(error.expected), found \(isHidden ? "‹redacted›" : error.found)",
                path: [],
                place: offset..<max(offset, JSONSyntaxError.wordRange(at: offset, in: text.bytes).upperBound)
            )
            if text.bytes.count == text.start {
                summary = "expected a value, found an empty document"
                place = nil
            } else if error.expected == "a value", error.found == "'<'" {
                summary += "; this looks like HTML or XML, not JSON"
            }
        }

        /// Creates the finding for a valid document that the decoder rejected as invalid.
        private init(rejected text: JSONText) {
            self.init(
                summary: "the document is valid JSON, but the decoder rejected it without reporting a location",
                path: []
            )
            var tokens = text.tokens
            var depth = 0
            while (try? tokens.next()) != nil { depth = max(depth, tokens.depth) }
            if let offset = tokens.loneSurrogate {
                summary = "found a lone surrogate, half of a character"
                place = offset..<offset + 6
            } else if depth > 512 {
                summary += "; it is nested \(depth) levels deep"
            } else {
                summary += "; a number may not fit its type"
            }
        }
    }
}

extension DecodingDiagnosis.Finding {
    static func words(for type: Any.Type) -> String {
        switch type {
        case is any FixedWidthInteger.Type: return "an integer (\(type))"
        case is any BinaryFloatingPoint.Type: return "a number (\(type))"
        case is Decimal.Type: return "a number (Decimal)"
        case is String.Type: return "a string"
        case is Bool.Type: return "true or false"
        case is Date.Type: return "a date"
        case is URL.Type: return "a URL"
        case is UUID.Type: return "a UUID"
        case is Data.Type: return "data in Base64"
        default:
            if type == Any.self { return "a value" }
            let name = "\(type)"
            if name.hasPrefix("Dictionary<") { return "an object" }
            if name.hasPrefix("Array<") || name.hasPrefix("Set<") { return "an array" }
            return "a value of type \(name)"
        }
    }

    private static func list(_ keys: [String]) -> String {
        let shown = keys.prefix(8).map { "\"\(CodingPathText.quoted($0))\"" }
        let rest = keys.count - shown.count
        guard rest == 0 else { return shown.joined(separator: ", ") + " and \(rest) more" }
        guard let last = shown.last, shown.count > 1 else { return shown.joined() }
        return shown.dropLast().joined(separator: ", ") + " and " + last
    }

    /// A JSON text, and the ranges to hide in it.
    struct Document {
        let text: JSONText
        let hidden: [Range<Int>]

        func words(for value: Range<Int>) -> String {
            text.words(for: value, quoting: !hidden.contains { $0.overlaps(value) })
        }

        /// Returns the decoder's message in a form suitable for appending to a summary.
        func reason(_ context: DecodingError.Context) -> String {
            var reason = context.debugDescription
            // A message about unavailable bytes may contain hidden text.
            guard FixedReason.contains(reason) || !text.isTruncated && !text.isRepeated(anyOf: hidden, in: reason)
            else { return "" }
            if reason.hasSuffix(".") { reason.removeLast() }
            return reason.isEmpty ? "" : ": " + JSONText.shortened(reason, to: 200)
        }

        /// Returns a description of a value followed by the decoder's message, which may already begin with the value.
        func sentence(of value: Range<Int>, _ context: DecodingError.Context) -> String {
            let (words, reason) = (words(for: value), reason(context))
            let content = bytes(of: value)
            for lead in [": \"\(content.prefix(60))\" ", ": The number \(content) "] where reason.hasPrefix(lead) {
                return words + " " + reason.dropFirst(lead.count)
            }
            return "cannot decode \(words)\(reason)"
        }

        /// Returns the source code of a strategy that can decode a value as a date; nil if none is known.
        func dateStrategy(for value: Range<Int>) -> String? {
            guard !hidden.contains(where: { $0.overlaps(value) }) else { return nil }
            switch text.bytes[value.lowerBound] {
            case UInt8(ascii: "\""): return DateForm(text.string(at: value))?.strategy
            case UInt8(ascii: "-"), 0x30...0x39:
                return DateForm(digits: text.bytes[value].prefix { 0x30...0x39 ~= $0 }.count).strategy
            default: return nil
            }
        }

        /// Returns the text of a number or the content of a string.
        private func bytes(of value: Range<Int>) -> String {
            text.bytes[value.lowerBound] == UInt8(ascii: "\"")
                ? text.string(at: value) : String(decoding: text.bytes[value].prefix(200), as: UTF8.self)
        }

        /// Whether the decoder reports only that the document is invalid.
        static func isUnspecific(_ context: DecodingError.Context) -> Bool {
            context.debugDescription.isEmpty || context.debugDescription.contains("not valid JSON")
        }
    }
}

/// The apparent date format of a value, used to suggest a strategy in an error message.
package enum DateForm: Sendable {
    case iso8601, day, httpDate, seconds, milliseconds, secondsText, millisecondsText

    /// Detects the date format of text that need not be a valid date; nil if the format is unknown.
    package init?(_ text: String) {
        let bytes = Array(text.utf8.prefix(64))
        let isDigit = { (byte: UInt8) in 0x30...0x39 ~= byte }
        if !bytes.isEmpty, bytes.count <= 20, bytes.allSatisfy(isDigit) {
            self = bytes.count < Self.millisecondDigits ? .secondsText : .millisecondsText
        } else if text.hasSuffix(" GMT"), text.contains(", ") {
            self = .httpDate
        } else {
            let isDay =
                bytes.count >= 10
                && bytes.prefix(10).enumerated().allSatisfy { index, byte in
                    index == 4 || index == 7 ? byte == UInt8(ascii: "-") : isDigit(byte)
                }
            guard isDay else { return nil }
            self = bytes.count == 10 ? .day : .iso8601
        }
    }

    /// Creates the format of a number with the given number of digits before the decimal point.
    package init(digits count: Int) { self = count < Self.millisecondDigits ? .seconds : .milliseconds }

    /// A number of seconds with 12 or more digits would be a date after the year 5138.
    private static let millisecondDigits = 12

    /// The source code of the strategy.
    package var strategy: String {
        switch self {
        case .iso8601: ".iso8601"
        case .day: ".day"
        case .httpDate: ".httpDate"
        case .seconds: ".secondsSince1970"
        case .milliseconds: ".millisecondsSince1970"
        case .secondsText: ".secondsSince1970Text"
        case .millisecondsText: ".millisecondsSince1970Text"
        }
    }
}
