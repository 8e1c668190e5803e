import Foundation

// As much of swift-distributed-tracing, declared as there, as the samples in ObservingWithDistributedTracing.md use.

enum SpanKind { case client, `internal` }

struct SpanStatus {
    enum Code { case ok, error }

    let code: Code
}

protocol SpanAttributeConvertible: Sendable {}

extension String: SpanAttributeConvertible {}
extension Int: SpanAttributeConvertible {}

struct SpanAttributes {
    fileprivate(set) var values: [String: any SpanAttributeConvertible] = [:]

    subscript(_ name: String) -> (any SpanAttributeConvertible)? {
        get { values[name] }
        set { values[name] = newValue }
    }
}

struct ServiceContext: Sendable {
    @TaskLocal static var current: ServiceContext?

    let id: String

    static func withValue<Value>(
        _ value: ServiceContext?,
        operation: () async throws -> Value
    ) async rethrows -> Value { try await $current.withValue(value, operation: operation) }
}

/// `@unchecked Sendable`: everything is touched under the lock alone.
final class Span: @unchecked Sendable {
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

protocol Injector: Sendable {
    associatedtype Carrier: Sendable

    func inject(_ value: String, forKey key: String, into carrier: inout Carrier)
}

/// Keeps the spans, and injects as W3C Trace Context has it.
///
/// `@unchecked Sendable`: the spans are touched under the lock alone.
final class TracerLookAlike: @unchecked Sendable {
    private let lock = NSLock()
    private var started: [Span] = []

    var spans: [Span] { lock.withLock { started } }

    func start(_ name: String) -> Span {
        lock.withLock {
            let span = Span(name, id: "00-\(String(repeating: "a", count: 32))-000000000000000\(started.count + 1)-01")
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

enum InstrumentationSystem {
    /// That of the test that runs.
    @TaskLocal static var instrument = TracerLookAlike()
}

func startSpan(_ name: String, ofKind kind: SpanKind = .internal) -> Span {
    InstrumentationSystem.instrument.start(name)
}
