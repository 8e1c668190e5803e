import WaybillSystem

/// Reads the value of a call from its reply: through the envelope, by the decoder, together with its side values.
package struct ValueReader<Value: Sendable>: Sendable {
    /// The result of a read: the response, and the requested extras, in their order.
    package struct Reading: Sendable {
        package let response: Response<Value>
        package let extras: [(any Sendable)?]
    }

    /// Reads a reply; the extras are decoded in the same pass.
    package let read: @Sendable (Reply, Plan, [Extraction.SideValue]) throws(APIError) -> Reading

    package init(_ read: @escaping @Sendable (Reply, Plan, [Extraction.SideValue]) throws(APIError) -> Reading) {
        self.read = read
    }
}

extension ValueReader where Value: Decodable {
    /// Decodes the value; `Data` is the body as it came.
    package static func decoding() -> Self {
        if let raw = ValueReader<Data>.raw as? Self ?? ValueReader<Data?>.raw as? Self { return raw }
        return Self { (reply, plan, extras) throws(APIError) in
            if reply.body.isEmpty, let empty = (Value.self as? any AbsentValue.Type)?.absent as? Value {
                return Reading(response: Response(value: empty, reply: reply), extras: extras.map { _ in nil })
            }
            let envelope = plan.settings[Envelope.self] ?? .none
            if Value.self == String.self || Value.self == String?.self, envelope.item.isEmpty,
                let value = try BodyText.text(of: reply, plan) as? Value
            {
                return Reading(response: Response(value: value, reply: reply), extras: extras.map { _ in nil })
            }
            var extraction = Extraction(path: Shape.isList(Value.self) ? envelope.list : envelope.item)
            extraction.keyedList = envelope.keyedList(in: Value.self)
            extraction.dropsInvalidItems = plan.settings[DropInvalidItems.self] != nil
            extraction.treatsMissingListAsEmpty = plan.settings[Paginated.self]?.missingList == .isEmpty
            extraction.treatsMissingValueAsNil = Value.self is any AbsentValue.Type
            let (value, reading): (Value, Reply.Extras)
            do throws(APIError) {
                (value, reading) = try reply.extract(Value.self, extraction, extras: extras, plan: plan)
            } catch {
                reply.inspect(Value.self, extraction, extras: extras, plan: plan, outcome: .failed)
                throw error
            }
            reply.inspect(
                Value.self,
                extraction,
                extras: extras,
                plan: plan,
                outcome: .decoded(droppedItems: reading.dropped.count)
            )
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

extension ValueReader where Value == Data? {
    /// The body as it came; nil for an empty one.
    fileprivate static var raw: Self {
        Self { (reply, _, extras) throws(APIError) in
            Reading(
                response: Response(value: reply.body.isEmpty ? nil : reply.body, reply: reply),
                extras: extras.map { _ in nil }
            )
        }
    }
}

extension ValueReader where Value == Void {
    /// Passes the body over, but for declared metadata.
    package static var ignoring: Self {
        Self { (reply, plan, extras) throws(APIError) in
            let rules = plan.settings[MetadataRules.self]?.elements ?? []
            guard !reply.body.isEmpty, let first = rules.first(where: { !$0.isOptional }) ?? rules.first else {
                return Reading(response: Response(reply: reply), extras: extras.map { _ in nil })
            }
            do throws(APIError) {
                let (_, reading) = try reply.extract(
                    IgnoredValue.self,
                    Extraction(),
                    extras: extras,
                    plan: plan,
                    typeName: first.typeName
                )
                return Reading(
                    response: Response(value: (), reply: reply, metadata: reading.metadata),
                    extras: reading.extras
                )
            } catch {
                // A call whose body does not matter never fails because optional metadata cannot be read.
                guard rules.allSatisfy(\.isOptional) else { throw error }
                return Reading(response: Response(reply: reply), extras: extras.map { _ in nil })
            }
        }
    }
}

/// Whether a value is one item or a list, for envelopes that tell the two apart.
package enum Shape {
    /// Whether the type is a list, or an optional one.
    package static func isList(_ type: Any.Type) -> Bool {
        type is any _ListValue.Type || ((type as? any AbsentValue.Type)?.wrappedType).map { isList($0) } ?? false
    }
}
