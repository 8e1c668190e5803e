import Waybill
import WaybillSystem

/// A call of a description: its request, and the types of what is sent and returned.
package struct DescribedCall {
    /// The content of a response of success.
    package enum Content {
        /// A value, through the envelope.
        case value(any Decodable.Type)
        /// The body as it comes.
        case bytes
        /// Server-sent events, whose data is of a type.
        case events(any Decodable.Type)
        /// A body that does not matter.
        case ignored
        /// A value of a type that does not decode.
        case unknown(String)
    }

    /// The operation of a resource; nil for an endpoint of its own.
    package let operation: On.Operation?

    /// The content of a response of success.
    package let content: Content

    /// The type of the entities of the resource; nil for an endpoint of its own.
    package let element: Any.Type?

    /// Whether the resource exists once.
    package let isSingleton: Bool

    /// The type of a body without a known value, because the type does not decode.
    package let unknownBody: String?

    /// The type of the value that is sent, if the description itself knows it.
    package let requestType: (any Decodable.Type)?

    /// The request, or the error of a declaration that cannot be planned.
    package let outline: Result<RequestOutline, APIError>

    package init<Value>(
        _ endpoint: Endpoint<Value>,
        operation: On.Operation? = nil,
        content: Content? = nil,
        requestType: (any Decodable.Type)? = nil,
        element: Any.Type? = nil,
        isSingleton: Bool = false,
        unknownBody: String? = nil
    ) {
        self.unknownBody = unknownBody
        self.isSingleton = isSingleton
        self.element = element
        self.operation = operation
        self.content = content ?? Content(of: Value.self)
        self.requestType = requestType
        do throws(APIError) {
            outline = .success(try endpoint.outline())
        } catch {
            outline = .failure(error)
        }
    }
}

extension DescribedCall.Content {
    fileprivate init(of type: any Sendable.Type) {
        if let events = type as? any DescribedEvents.Type {
            self = .events(events.dataType)
        } else if type == Data.self || type == Data?.self {
            self = .bytes
        } else if let decodable = type as? any Decodable.Type {
            self = .value(decodable)
        } else {
            self = type == Void.self ? .ignored : .unknown("\(type)")
        }
    }
}

extension DescribedCall.Content {
    /// Whether the value is a list, which a pagination scheme divides into pages.
    package var isList: Bool {
        if case .value(let type) = self { Shape.isList(type) } else { false }
    }

    /// Whether one response may have both contents: values of two types are two responses.
    func mayBe(_ other: DescribedCall.Content) -> Bool {
        guard case .value(let type) = self, case .value(let otherType) = other else { return true }
        return type == otherType
    }
}

/// Events, whose data has a type.
private protocol DescribedEvents {
    static var dataType: any Decodable.Type { get }
}

extension Events: DescribedEvents where Value: Decodable {
    fileprivate static var dataType: any Decodable.Type { Value.self }
}
