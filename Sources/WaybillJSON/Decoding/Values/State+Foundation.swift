import WaybillSystem

extension UnsafeMutablePointer<DecodingState> {
    /// Returns a date, by the decoder's strategy.
    @inline(never)
    func date(at index: Int, in container: Int) throws -> Date {
        guard !isNull(index) else { throw mismatch(Date.self, at: index, in: container) }
        switch session.strategies.dates {
        case .deferredToDate:
            return Date(timeIntervalSinceReferenceDate: try seconds(at: index, in: container))
        case .secondsSince1970:
            return Date(timeIntervalSince1970: try seconds(at: index, in: container))
        case .millisecondsSince1970:
            return Date(timeIntervalSince1970: try seconds(at: index, in: container) / 1000)
        case .iso8601:
            guard isString(index) else { throw dateMismatch(String.self, at: index, in: container) }
            let (bytes, kind) = spelling(at: index)
            if kind == TapeKind.asciiString, let date = ISO8601Date.parse(bytes) { return date }
            let text = text(at: index)
            var utf8 = text
            if kind == TapeKind.escapedString, let date = utf8.withUTF8({ ISO8601Date.parse($0) }) { return date }
            throw corrupted(ISO8601Date.reason(against: text), codingPath(to: index, in: container))
        case .formatted(let date):
            let text = try string(at: index, in: container)
            guard let date = date(text) else {
                throw corrupted(
                    "The date does not have the format that the formatter expects.",
                    codingPath(to: index, in: container)
                )
            }
            return date
        case .custom(let decode):
            return try decode(TapeDecoder(session: session, index: index, container: container))
        }
    }

    /// Returns bytes, by the decoder's strategy.
    @inline(never)
    func data(at index: Int, in container: Int) throws -> Data {
        guard !isNull(index) else { throw mismatch(Data.self, at: index, in: container) }
        switch session.strategies.data {
        case .deferredToData:
            return try decodeItself(Data.self, at: index, in: container)
        case .base64:
            guard let data = Data(base64Encoded: try string(at: index, in: container)) else {
                throw corrupted("The string is not valid Base64.", codingPath(to: index, in: container))
            }
            return data
        case .custom(let decode):
            return try decode(TapeDecoder(session: session, index: index, container: container))
        }
    }

    /// Returns a URL, from a string.
    @inline(never)
    func url(at index: Int, in container: Int) throws -> URL {
        guard !isNull(index) else { throw mismatch(URL.self, at: index, in: container) }
        guard let url = URL(string: try string(at: index, in: container)) else {
            throw corrupted("The string is not a valid URL.", codingPath(to: index, in: container))
        }
        return url
    }

    /// Returns a decimal number; never one that had to be rounded.
    @inline(never)
    func decimal(at index: Int, in container: Int) throws -> Decimal {
        guard let digits = number(at: index) else { throw mismatch(Decimal.self, at: index, in: container) }
        guard let value = ExactNumber.decimal(digits: digits) else { throw unfitting(digits, at: index, in: container) }
        return value
    }

    /// Returns a UUID, from its usual spelling.
    @inline(never)
    func uuid(at index: Int, in container: Int) throws -> UUID {
        guard let uuid = UUID(uuidString: try string(at: index, in: container)) else {
            throw corrupted("The string is not a UUID.", codingPath(to: index, in: container))
        }
        return uuid
    }

    /// Returns the number of a date, which has to be finite: Foundation traps when it describes a date of NaN.
    private func seconds(at index: Int, in container: Int) throws -> Double {
        let seconds: Double
        do {
            seconds = try double(at: index, in: container)
        } catch DecodingError.typeMismatch {
            throw dateMismatch(Double.self, at: index, in: container)
        }
        guard seconds.isFinite else {
            throw corrupted("A date cannot be \(seconds).", codingPath(to: index, in: container))
        }
        return seconds
    }

    @inline(__always)
    private func isString(_ index: Int) -> Bool {
        let kind = TapeWord.kind(pointee.tape[index])
        return kind >= TapeKind.asciiString && kind <= TapeKind.longString
    }
}
