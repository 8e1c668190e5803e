import Waybill
import WaybillSystem

/// The latest time of the items of a list, as its server writes it.
struct ServerTime: Sendable, Equatable {
    let value: JSONValue

    /// Creates a time; nil for any other value.
    init?(_ value: JSONValue?) {
        guard let value, value.decimalValue != nil || value.stringValue.map({ !$0.isEmpty }) ?? false else {
            return nil
        }
        self.value = value
    }

    /// Returns the later of two times; of two in different forms, or without an order, this one.
    func later(_ other: ServerTime) -> ServerTime {
        if let number = value.decimalValue, let other = other.value.decimalValue {
            return other > number ? .init(.number(other)) ?? self : self
        }
        guard let text = value.stringValue, let otherText = other.value.stringValue else { return self }
        if let date = Self.date(text), let otherDate = Self.date(otherText) { return otherDate > date ? other : self }
        return otherText > text ? other : self
    }

    /// Returns the text of a query item, for a time that is earlier by an overlap.
    func text(minus overlap: Duration) -> String {
        let seconds = Double(overlap.components.seconds) + Double(overlap.components.attoseconds) / 1e18
        if let number = value.decimalValue {
            guard seconds > 0 else { return value.description }
            let unit: Decimal = number < 100_000_000_000 ? 1 : 1_000
            return JSONValue(number - Decimal(seconds) * unit).description
        }
        let text = value.stringValue ?? ""
        guard seconds > 0, let date = Self.date(text) else { return text }
        return (date - seconds).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func date(_ text: String) -> Date? {
        (try? JSONDefaults.decoder.decode([Date].self, from: Data("[\(JSONValue.string(text).description)]".utf8)))?
            .first
    }
}
