import WaybillSystem

extension JSONEncoder.DateEncodingStrategy {
    /// Writes dates as text in one of the forms of ``FormStyle/Dates``.
    ///
    /// A date that the form cannot write is an `EncodingError`.
    ///
    /// ```swift
    /// Encode(dates: .text(.httpDate))
    /// ```
    public static func text(_ form: FormStyle.Dates) -> Self {
        .custom { date, encoder in
            guard let text = form.text(of: date) else {
                throw EncodingError.invalidValue(
                    date.timeIntervalSince1970,
                    .init(codingPath: encoder.codingPath, debugDescription: ISO8601.reason(against: date))
                )
            }
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }
}
