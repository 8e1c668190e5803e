import Waybill
import WaybillSystem
import WaybillTransfers

/// A described call, with its request and the types that it sends and returns.
package struct DescribedCall {
    /// The content of a success response.
    package enum Content {
        /// A value in the envelope.
        case value(any Decodable.Type)
        /// The raw body.
        case bytes
        /// Server-sent events, with the type of their data.
        case events(any Decodable.Type)
        /// A body that the call ignores.
        case ignored
        /// A value of a type that is not `Decodable`, with the name of the type.
        case unknown(String)
    }

    /// The resource operation; nil for an individually listed endpoint.
    package let operation: On.Operation?

    /// The content of a success response.
    package let content: Content

    /// The entity type of the resource; nil for an individually listed endpoint.
    package let element: Any.Type?

    /// Whether the resource is a singleton.
    package let isSingleton: Bool

    /// The name of the body's type if no example value is known; otherwise nil.
    package let unknownBody: String?

    /// The type of the sent value, if the description determines it.
    package let requestType: (any Decodable.Type)?

    /// The outline of the request, or the error of a call that cannot be planned.
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
    /// Whether the value is a list, which a pagination scheme can divide into pages.
    package var isList: Bool {
        if case .value(let type) = self { Shape.isList(type) } else { false }
    }

    /// Whether both contents can describe the same response; two values must have the same type.
    func isCompatible(with other: DescribedCall.Content) -> Bool {
        guard case .value(let type) = self, case .value(let otherType) = other else { return true }
        return type == otherType
    }
}

/// Events with data of a decodable type.
private protocol DescribedEvents {
    static var dataType: any Decodable.Type { get }
}

extension Events: DescribedEvents where Value: Decodable {
    fileprivate static var dataType: any Decodable.Type { Value.self }
}
