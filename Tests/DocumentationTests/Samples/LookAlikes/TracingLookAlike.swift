import Foundation

// The parts of swift-distributed-tracing used in ObservingWithDistributedTracing.md, with the same declarations.

nonisolated enum SpanKind { case client, `internal` }

nonisolated struct SpanStatus {
    enum Code { case ok, error }

    let code: Code
}

nonisolated protocol SpanAttributeConvertible: Sendable {}

nonisolated extension String: SpanAttributeConvertible {}
nonisolated extension Int: SpanAttributeConvertible {}

nonisolated struct SpanAttributes {
    fileprivate(set) var values: [String: any SpanAttributeConvertible] = [:]

    subscript(_ name: String) -> (any SpanAttributeConvertible)? {
        get { values[name] }
        set { values[name] = newValue }
    }
}

nonisolated struct ServiceContext: Sendable {
    @TaskLocal static var current: ServiceContext?

    let id: String

    static func withValue<Value>(
        _ value: ServiceContext?,
        operation: () async throws -> Value
    ) async rethrows -> Value { try await $current.withValue(value, operation: operation) }

    static func withValue<Value>(_ value: ServiceContext?, operation: () throws -> Value) rethrows -> Value {
        try $current.withValue(value, operation: operation)
    }
}

nonisolated protocol Span: AnyObject, Sendable {
    var context: ServiceContext { get }
    var attributes: SpanAttributes { get set }

    func recordError(_ error: any Error)
    func setStatus(_ status: SpanStatus)
    func end()
}

/// `@unchecked Sendable`: everything is accessed only under the lock.
nonisolated final class SpanLookAlike: Span, @unchecked Sendable {
    let context: ServiceContext
    private let lock = NSLock()
    private var name: String
    private var kept = SpanAttributes()
    private var notes: [String] = []

    init(_ name: String, id: String) {
        self.name = name
        context = ServiceContext(id: id)
    }

    var attributes: SpanAttributes {
        get { lock.withLock { kept } }
        set { lock.withLock { kept = newValue } }
    }

    func recordError(_ error: any Error) { note("recorded") }
    func setStatus(_ status: SpanStatus) { note("\(status.code)") }
    func end() { note("ended") }

    var text: String {
        let attributes = attributes.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return lock.withLock { ([name] + attributes + notes).joined(separator: " ") }
    }

    private func note(_ text: String) { lock.withLock { notes.append(text) } }
}

nonisolated protocol Injector: Sendable {
    associatedtype Carrier: Sendable

    func inject(_ value: String, forKey key: String, into carrier: inout Carrier)
}

/// A tracer that keeps its spans and injects the fields of W3C Trace Context.
///
/// `@unchecked Sendable`: the spans are accessed only under the lock.
nonisolated final class TracerLookAlike: @unchecked Sendable {
    private let lock = NSLock()
    private var started: [SpanLookAlike] = []

    var spans: [SpanLookAlike] { lock.withLock { started } }

    func start(_ name: String) -> SpanLookAlike {
        lock.withLock {
            let trace = String(repeating: "a", count: 32)
            let span = SpanLookAlike(name, id: "00-\(trace)-000000000000000\(started.count + 1)-01")
            started.append(span)
            return span
        }
    }

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        injector.inject(context.id, forKey: "traceparent", into: &carrier)
    }
}

nonisolated enum InstrumentationSystem {
    /// The tracer of the running test.
    @TaskLocal static var instrument = TracerLookAlike()
}

nonisolated func startSpan(_ name: String, ofKind kind: SpanKind = .internal) -> any Span {
    InstrumentationSystem.instrument.start(name)
}
