import WaybillSystem

extension JSONEncoder {
    /// An encoder that writes the same bytes, and throws for a date that ISO 8601 cannot write.
    ///
    /// With the strategy `.iso8601` Foundation writes some other date in place of one that is NaN, infinite or out of
    /// its range. Other strategies throw by themselves or are the app's own, and so is a subclass: then it is this
    /// encoder.
    package var rejectingUnwritableDates: JSONEncoder {
        guard type(of: self) == JSONEncoder.self, case .iso8601 = dateEncodingStrategy else { return self }
        let dates = JSONEncoder.DateEncodingStrategy.custom { date, encoder in
            guard ISO8601.text(from: date) != nil else {
                throw EncodingError.invalidValue(
                    date.timeIntervalSince1970,
                    .init(codingPath: encoder.codingPath, debugDescription: ISO8601.reason(against: date))
                )
            }
            var container = encoder.singleValueContainer()
            try container.encode(date.formatted(.iso8601))
        }
        return applying(keys: nil, dates: dates, data: nil)
    }
}
