/// The place of the value in the body of a response: below keys of objects and indices of arrays.
///
/// ```swift
/// Envelope("data")                                // {"data":{…}}
/// Envelope("results", "items")                    // {"results":{"items":[…]}}
/// Envelope("data", 0)                             // {"data":[{…}]}
/// Envelope(item: "product", list: "products")     // another key for one item than for a list
/// Envelope.none                                   // no envelope, even if an outer scope declares one
/// ```
///
/// Values beside it stay reachable: see ``Metadata``. A body that is not in its envelope is an
/// ``APIError/DecodingFailure`` that names the key.
public struct Envelope: Sendable, Hashable {
    package let item: [EnvelopeKey]
    package let list: [EnvelopeKey]

    /// Creates an envelope from the path to the value, from the top.
    public init(_ path: EnvelopeKey...) { self.init(itemPath: path, listPath: path) }

    /// Creates an envelope with a key for one item, and another for a list.
    public init(item: EnvelopeKey, list: EnvelopeKey) { self.init(itemPath: [item], listPath: [list]) }

    /// Creates an envelope with a path to one item, and one to a list; an empty path is the whole body.
    public init(itemPath item: [EnvelopeKey], listPath list: [EnvelopeKey]) {
        self.item = item
        self.list = list
    }

    /// Creates an envelope with a key around lists alone; one item is the whole body.
    public init(list: EnvelopeKey...) { self.init(itemPath: [], listPath: list) }

    /// No envelope, even if an outer scope declares one.
    public static let none = Envelope(itemPath: [], listPath: [])
}

extension Envelope: Setting {
    /// The way to the value.
    public var summary: String {
        item == list
            ? item.pathDescription : "\(item.pathDescription) for an item, \(list.pathDescription) for a list"
    }
}
