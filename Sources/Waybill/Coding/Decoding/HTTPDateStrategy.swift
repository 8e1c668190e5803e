import WaybillJSON

extension WaybillJSONDecoder.DateDecodingStrategy {
    /// A string such as `Fri, 01 May 2026 12:00:00 GMT`, as header fields have it (RFC 9110, section 5.6.7), the two
    /// obsolete forms included.
    public static var httpDate: Self {
        .text { text, path in
            if let date = HTTPDate.date(from: text) { return date }
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: path,
                    debugDescription: "\"\(text.prefix(60))\" is not a date such as Fri, 01 May 2026 12:00:00 GMT."
                )
            )
        }
    }
}
