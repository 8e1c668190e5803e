import WaybillSystem

/// The data of the event that ends a stream of server-sent events and is not an element.
///
/// ```swift
/// Until("[DONE]")
/// ```
///
/// The connection is closed at that event, and not made again.
public struct Until: Setting, Hashable {
    /// The data.
    public let data: String

    /// Declares the data.
    public init(_ data: String) { self.data = data }

    /// The data.
    public var summary: String { data }

    /// Whether a message is the end.
    func holds(_ message: EventStreamParser.Message) -> Bool { message.data.elementsEqual(data.utf8) }
}
