import WaybillSystem

/// The types that an ``EncodedValue`` does not take apart.
protocol LeafValue: Encodable, Sendable {}

extension Bool: LeafValue {}
extension String: LeafValue {}
extension Double: LeafValue {}
extension Float: LeafValue {}
extension Int: LeafValue {}
extension Int8: LeafValue {}
extension Int16: LeafValue {}
extension Int32: LeafValue {}
extension Int64: LeafValue {}
extension UInt: LeafValue {}
extension UInt8: LeafValue {}
extension UInt16: LeafValue {}
extension UInt32: LeafValue {}
extension UInt64: LeafValue {}
extension Date: LeafValue {}
extension Decimal: LeafValue {}
extension Data: LeafValue {}
extension URL: LeafValue {}
extension UUID: LeafValue {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: LeafValue {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: LeafValue {}
