import Waybill

/// A log of the elements or events that `DropInvalidItems` has dropped from a stream: the first ones, and the total
/// number.
final class DroppedItemLog: Sendable {
    private struct State: Sendable {
        var first: [WaybillJSONDecoder.DroppedItem] = []
        var count = 0
    }

    /// The maximum number of items to keep; each retains a chunk of the body.
    private static let maximum = 100

    private let state = Locked(State())

    /// The first items.
    var first: [WaybillJSONDecoder.DroppedItem] { state.withLock { $0.first } }

    /// The number of items.
    var count: Int { state.withLock { $0.count } }

    /// Counts an item, and keeps it if it is one of the first.
    ///
    /// - Parameter item: a closure that returns the item without secrets; called only if the item is kept.
    func add(_ item: () -> WaybillJSONDecoder.DroppedItem) {
        let isKept = state.withLock { state in
            state.count += 1
            return state.count <= Self.maximum
        }
        guard isKept else { return }
        let item = item()
        state.withLock { $0.first.append(item) }
    }
}
