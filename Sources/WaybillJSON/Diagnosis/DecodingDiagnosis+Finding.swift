import WaybillSystem

extension DecodingDiagnosis {
    /// The essence of one kind of error: the words, and the bytes they are about.
    struct Finding {
        var summary: String
        var path: [any CodingKey]
        var place: Range<Int>?
        var nearestKey: String?

        /// The bytes that the excerpt is about, if they are not those of the place.
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
            // Of a value that is cut, the beginning shows its kind.
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
            // A text that ends too early is shown at the end of its last line.
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

        /// Creates the finding of a valid document that the decoder calls invalid.
        private init(rejected text: JSONText) {
            self.init(
                summary: "the document is valid JSON, but the decoder rejected it without telling where",
                path: []
            )
            var tokens = text.tokens
            var depth = 0
            while (try? tokens.next()) != nil { depth = max(depth, tokens.depth) }
            if let offset = tokens.unpairedSurrogate {
                summary = "found half of a surrogate pair, which stands for no character"
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
}
