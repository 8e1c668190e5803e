import Waybill
import WaybillSystem

/// The value of a singleton as the only item of a collection: with an id that no document has.
struct SingleItem<Value: Representation>: Entity {
    static var only: String { "" }

    var value: Value

    var id: String { Self.only }

    init(value: Value) { self.value = value }

    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
