/// Where the value stands in the body of an answer: below keys of objects and places in arrays.
///
/// ```swift
/// Envelope("data")                                // {"data":{…}}
/// Envelope("results", "items")                    // {"results":{"items":[…]}}
/// Envelope("data", 0)                             // {"data":[{…}]}
/// Envelope(item: "product", list: "products")     // another key for one item than for a list
/// Envelope.none                                   // no envelope, whatever a farther scope says
/// ```
///
/// What lies beside the value stays reachable: see ``Metadata``. A body that is not in its envelope is a
/// ``DecodingFailure`` that names the key.
public struct Envelope: Sendable, Hashable {
    package let item: [EnvelopeKey]
    package let list: [EnvelopeKey]

    /// The way to the value, from the top.
    public init(_ path: EnvelopeKey...) { self.init(itemPath: path, listPath: path) }

    /// A key for one item, and another for a list.
    public init(item: EnvelopeKey, list: EnvelopeKey) { self.init(itemPath: [item], listPath: [list]) }

    /// The way to one item, and the way to a list; an empty one is the whole body.
    public init(itemPath item: [EnvelopeKey], listPath list: [EnvelopeKey]) {
        self.item = item
        self.list = list
    }

    /// A key around lists alone; one item is the whole body.
    public init(list: EnvelopeKey...) { self.init(itemPath: [], listPath: list) }

    /// No envelope, whatever a farther scope says.
    public static let none = Envelope(itemPath: [], listPath: [])
}

extension Envelope: Setting {
    /// The way to the value.
    public var summary: String {
        item == list
            ? item.pathDescription : "\(item.pathDescription) for an item, \(list.pathDescription) for a list"
    }
}
