/// An enum whose cases are the names of server-sent events.
///
/// ```swift
/// enum StockEvent: NamedEvent {
///     case added(Product)                 // event: added, the data is a product
///     case moved(id: Int, shelf: String)  // event: moved, the data is {"id": 7, "shelf": "B"}
///     case note(String)                   // event: note, the data is a text
///     case closed                         // event: closed, the data is not read
/// }
/// ```
///
/// The compiler writes the initializer, as for every `Decodable` enum: in ``Events``, the name of the event chooses the
/// case. An associated value without a label is the data as a whole, and one with a label is a member of the data.
/// `CodingKeys` give a case another name, which is compared letter by letter: `case added = "product.added"`. An event
/// without a name has the name `message`.
///
/// An event with another name is an ``APIError/decoding(_:)``, unless ``Events/ignoreUnknown()`` passes it over, or its
/// data is a problem that is declared for the status of the response.
public protocol NamedEvent: Decodable, Sendable {}

/// The error of an event whose name is not a case.
struct UnknownEvent: Error, CustomStringConvertible {
    private static var longestName: Int { 100 }

    let description: String

    init(_ name: String, at index: Int, of type: Any.Type) {
        let shown = name.count > Self.longestName ? "\(name.prefix(Self.longestName))…" : name
        description =
            "event \(index + 1) has the name \(String(reflecting: shown)), which is not a case of \(type); "
            + "add the case, or declare Events.ignoreUnknown()"
    }
}
