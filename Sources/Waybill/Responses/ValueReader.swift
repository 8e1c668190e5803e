import WaybillSystem

/// A reader of a call's value from its reply: through the envelope, by the decoder, together with its side values.
package struct ValueReader<Value: Sendable>: Sendable {
    /// The result of a read: the response, and the requested extras, in their order.
    package struct Reading: Sendable {
        package let response: Response<Value>
        package let extras: [(any Sendable)?]
    }

    /// Reads a reply; the side values are decoded in the same pass.
    package let read: @Sendable (Reply, Plan, [Extraction.SideValue]) throws(APIError) -> Reading

    /// Whether it reads nothing but declared metadata from the body.
    let ignoresBody: Bool

    package init(
        ignoresBody: Bool = false,
        _ read: @escaping @Sendable (Reply, Plan, [Extraction.SideValue]) throws(APIError) -> Reading
    ) {
        self.read = read
        self.ignoresBody = ignoresBody
    }
}

extension ValueReader.Reading {
    /// Creates the reading of a value, with the values beside it.
    init(_ value: Value, of reply: Reply, _ extras: Reply.Extras) {
        response = Response(value: value, reply: reply, droppedItems: extras.dropped, metadata: extras.metadata)
        self.extras = extras.extras
    }
}

extension ValueReader where Value: Decodable {
    /// Returns a reader that decodes the value; `Data` is the body as it came.
    package static func decoding() -> Self {
        Self { (reply, plan, extras) throws(APIError) in
            let envelope = plan.settings[Envelope.self] ?? .none
            if let value = try undecodedValue(of: reply, plan, envelope) {
                return Reading(value, of: reply, Reply.Extras(missing: extras))
            }
            let shape = Shape.of(Value.self)
            var extraction = Extraction(path: shape.isList ? envelope.list : envelope.item)
            extraction.keyedList = envelope.keyedList(in: Value.self)
            extraction.dropsInvalidItems = plan.settings[DropInvalidItems.self] != nil
            extraction.treatsMissingListAsEmpty = plan.settings[Paginated.self]?.missingList == .isEmpty
            extraction.treatsMissingValueAsNil = shape.isOptional
            let (value, reading): (Value, Reply.Extras)
            do throws(APIError) {
                (value, reading) = try reply.extract(Value.self, extraction, extras: extras, plan: plan)
            } catch {
                let outcome = { InspectedResponse.Outcome.failed(at: error.decodingPath) }
                reply.inspect(Value.self, extraction, extras: extras, plan: plan, outcome: outcome())
                throw error
            }
            reply.inspect(
                Value.self,
                extraction,
                extras: extras,
                plan: plan,
                outcome: .decoded(droppedItems: reading.dropped.count)
            )
            return Reading(value, of: reply, reading)
        }
    }

    /// Returns the value that is not decoded: that of an empty body, bytes, or a text; nil for any other value.
    private static func undecodedValue(
        of reply: Reply,
        _ plan: Plan,
        _ envelope: Envelope
    ) throws(APIError) -> Value? {
        if reply.body.isEmpty, let optional = Value.self as? any AbsentValue.Type { return optional.absent as? Value }
        if Value.self == Data.self || Value.self == Data?.self { return reply.body as? Value }
        guard Value.self == String.self || Value.self == String?.self, envelope.item.isEmpty else { return nil }
        return try BodyText.text(of: reply, plan) as? Value
    }
}

extension ValueReader where Value == Void {
    /// Decodes nothing but declared metadata.
    package static var ignoring: Self {
        Self(ignoresBody: true) { (reply, plan, extras) throws(APIError) in
            let rules = plan.metadataRules
            guard !reply.body.isEmpty, let first = rules.first(where: \.extra.isRequired) ?? rules.first else {
                return Reading((), of: reply, Reply.Extras(missing: extras))
            }
            do throws(APIError) {
                let (_, reading) = try reply.extract(
                    IgnoredValue.self,
                    Extraction(),
                    extras: extras,
                    plan: plan,
                    typeName: "\(first.extra.type)"
                )
                return Reading((), of: reply, reading)
            } catch {
                // A call whose body does not matter never fails because optional metadata cannot be read.
                guard !rules.contains(where: \.extra.isRequired) else { throw error }
                return Reading((), of: reply, Reply.Extras(missing: extras))
            }
        }
    }
}

/// The shapes of a value, which envelopes tell apart.
package struct Shape: Sendable {
    /// Whether it is a list, or an optional one.
    let isList: Bool

    /// Whether it is an optional value.
    let isOptional: Bool

    private init(_ type: Any.Type) {
        isList = Self.isList(type)
        isOptional = type is any AbsentValue.Type
    }

    /// Whether the type is a list, or an optional one.
    package static func isList(_ type: Any.Type) -> Bool {
        type is any _ListValue.Type || ((type as? any AbsentValue.Type)?.wrappedType).map { isList($0) } ?? false
    }

    // Each conformance that the runtime looks for costs 500 instructions, and a program has a handful of types.
    private static let known = Locked<[ObjectIdentifier: Shape]>([:])

    /// Returns the shape of a type, which is determined once.
    static func of(_ type: Any.Type) -> Shape {
        known.withLock { known in
            if let shape = known[ObjectIdentifier(type)] { return shape }
            let shape = Shape(type)
            known[ObjectIdentifier(type)] = shape
            return shape
        }
    }
}

extension APIError {
    /// The path of the value that was not decoded; empty if the error names none.
    fileprivate var decodingPath: [EnvelopeKey] {
        guard case .decoding(let failure) = self else { return [] }
        let context: DecodingError.Context? =
            switch failure.decodingError {
            case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?, .dataCorrupted(let context)?,
                .keyNotFound(_, let context)?:
                context
            case nil: nil
            @unknown default: nil
            }
        return (context?.codingPath ?? []).map { key in
            key.intValue.map(EnvelopeKey.index) ?? .key(key.stringValue)
        }
    }
}
