import Foundation

/// Makes the value of a call from its reply: through the envelope, by the decoder, together with what lies beside it.
package struct ValueReader<Value: Sendable>: Sendable {
    /// What was read: the response, and the extras that were asked for, in their order.
    package struct Reading: Sendable {
        package let response: Response<Value>
        package let extras: [(any Sendable)?]
    }

    /// Reads a reply; the extras are decoded in the same pass.
    package let read: @Sendable (Reply, Plan, [Extraction.Extra]) throws(APIError) -> Reading

    package init(_ read: @escaping @Sendable (Reply, Plan, [Extraction.Extra]) throws(APIError) -> Reading) {
        self.read = read
    }
}

extension ValueReader where Value: Decodable {
    /// Decodes the value; `Data` is the body as it came.
    package static func decoding() -> Self {
        if let raw = ValueReader<Data>.raw as? Self { return raw }
        return Self { (reply, plan, extras) throws(APIError) in
            if reply.body.isEmpty, let empty = (Value.self as? any EmptyValue.Type)?.empty as? Value {
                return Reading(response: Response(value: empty, reply: reply), extras: extras.map { _ in nil })
            }
            let envelope = plan.settings[Envelope.self] ?? .none
            var extraction = Extraction(path: Value.self is any ListValue.Type ? envelope.list : envelope.item)
            extraction.dropsInvalidItems = plan.settings[DropInvalidItems.self] != nil
            extraction.treatsMissingListAsEmpty = plan.settings[Paginated.self]?.missingList == .isEmpty
            let (value, reading) = try reply.extract(Value.self, extraction, extras, plan)
            return Reading(
                response: Response(
                    value: value,
                    reply: reply,
                    droppedItems: reading.dropped,
                    metadata: reading.metadata
                ),
                extras: reading.extras
            )
        }
    }
}

extension ValueReader where Value == Data {
    /// The body as it came.
    fileprivate static var raw: Self {
        Self { (reply, _, extras) throws(APIError) in
            Reading(response: Response(value: reply.body, reply: reply), extras: extras.map { _ in nil })
        }
    }
}

extension ValueReader where Value == Void {
    /// Passes the body over, but for declared metadata.
    package static var ignoring: Self {
        Self { (reply, plan, extras) throws(APIError) in
            guard !reply.body.isEmpty, plan.settings[MetadataRules.self] != nil else {
                return Reading(response: Response(reply: reply), extras: extras.map { _ in nil })
            }
            let (_, reading) = try reply.extract(Ignored.self, Extraction(), extras, plan)
            return Reading(
                response: Response(value: (), reply: reply, metadata: reading.metadata),
                extras: reading.extras
            )
        }
    }
}

/// A type that has a value for a body that is empty.
private protocol EmptyValue {
    static var empty: Self { get }
}

extension Optional: EmptyValue {
    fileprivate static var empty: Self { nil }
}

/// A value that nobody looks at.
package struct Ignored: Decodable, Sendable {
    package init(from decoder: any Decoder) {}
}
