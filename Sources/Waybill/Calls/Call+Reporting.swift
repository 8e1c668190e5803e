import Foundation

extension Call {
    /// What is kept for the observers of a call.
    package struct Reporting: Sendable {
        /// The number of the call for which a task works; nil outside of calls that are observed.
        @TaskLocal package static var current: Int?

        let observers: [any CallObserver]
        let number: Int
        let parent: Int?
        let url: String
        let start: Duration

        /// What has the last event come last: what goes on without the call, for another one or for a cache, is not
        /// its any more.
        let deliveries: EventDeliveries

        private static let numbers = Locked(0)

        /// Nil where nobody observes.
        package init?(_ plan: Plan, _ time: Timeline) {
            guard let observers = plan.settings[CallObservers.self]?.observers else { return nil }
            self.observers = observers
            // Made here, and not where it is declared: most calls have nobody who observes them.
            deliveries = EventDeliveries()
            number = Self.numbers.withLock { number in
                number += 1
                return number
            }
            parent = Self.current
            url = Redaction.url(plan.url.value, secretNames: plan.secretNames)
            start = time.now
        }

        fileprivate func tell(_ event: CallEvent) {
            for observer in observers { observer.observe(event) }
        }

        /// Does what belongs to the call, so that calls which are made for it know that they are.
        package func within<Value: Sendable>(
            _ work: () async throws(APIError) -> Value
        ) async throws(APIError) -> Value {
            let result: Result<Value, APIError> = await Self.$current.withValue(number) {
                do throws(APIError) {
                    return .success(try await work())
                } catch {
                    return .failure(error)
                }
            }
            return try result.get()
        }
    }

    /// Whether somebody observes the call.
    package var isObserved: Bool { context.reporting != nil }

    /// Tells the observers what happens; costs nothing where there are none.
    package func report(_ kind: @autoclosure () -> CallEvent.Kind) {
        guard let reporting = context.reporting else { return }
        tell(reporting, kind(), CallEvent.Facts())
    }

    /// Tells the observers how the call has ended; nothing that is reported later reaches them.
    package func reportEnd(_ kind: @autoclosure () -> CallEvent.Kind) async {
        guard let reporting = context.reporting else { return }
        let kind = kind()
        await reporting.deliveries.deliverLast { reporting.tell(event(reporting, kind, CallEvent.Facts())) }
    }

    /// Tells the observers what happens to a request.
    package func report(_ kind: @autoclosure () -> CallEvent.Kind, of request: HTTPRequest) {
        guard let reporting = context.reporting else { return }
        let fields = request.headerFields
        let facts = CallEvent.Facts(
            url: shown(request.url),
            headerFields: { Redaction.fields(fields, secretNames: fields.secrets?.hidden ?? .usual) }
        )
        tell(reporting, kind(), facts)
    }

    /// Tells the observers what happens to a response.
    package func report(_ kind: @autoclosure () -> CallEvent.Kind, of response: HTTPResponse) {
        guard let reporting = context.reporting else { return }
        let fields = response.headerFields
        let secrets = fields.secrets ?? plan.secrets
        let facts = CallEvent.Facts(
            url: response.url.flatMap(shown),
            // The server may have written what it was sent into any field.
            headerFields: { Redaction.fields(fields, secretNames: secrets.hidden) },
            metrics: response.metrics
        )
        tell(reporting, kind(), facts)
    }

    /// A URL without secrets, also those of the request that a server has written into it; nil for the call's own.
    private func shown(_ url: HTTPURL) -> String? {
        if url == plan.url { return nil }
        return Redaction.url(url.value, secretNames: (url.secrets ?? plan.secrets).hidden)
    }

    private func tell(_ reporting: Reporting, _ kind: CallEvent.Kind, _ facts: CallEvent.Facts) {
        reporting.deliveries.deliver { reporting.tell(event(reporting, kind, facts)) }
    }

    private func event(_ reporting: Reporting, _ kind: CallEvent.Kind, _ facts: CallEvent.Facts) -> CallEvent {
        CallEvent(
            number: reporting.number,
            parent: reporting.parent,
            method: plan.method,
            template: plan.template,
            url: facts.url ?? reporting.url,
            attempt: attempt,
            time: context.time.now - reporting.start,
            kind: kind,
            facts: facts
        )
    }
}
