import WaybillJSON

/// An element of a list that could not be decoded and was left out, because the declaration asks for that.
///
/// See ``DropInvalidItems``.
public typealias DroppedItem = WaybillJSON.DroppedItem
