import WaybillSystem

extension Call {
    /// The state for reporting a call to its observers.
    package struct Reporting: Sendable {
        let observers: [any CallObserver]
        let parent: Int?
        let url: String

        /// The call's number, included in all its events.
        package let number: Int

        /// The start of the call on the client's clock.
        package let start: Duration

        /// Dispatches the call's events; events after the end of the call are discarded.
        ///
        /// A shared transfer or a cache revalidation can outlive the call.
        let deliveries: EventDispatcher

        private static let numbers = Locked(0)

        /// Creates the state; returns nil if the call has no observers.
        package init?(_ plan: Call.Plan, _ time: AnyClock) {
            guard let observers = plan.settings[CallObservers.self]?.listeners else { return nil }
            self.observers = observers
            // Created here rather than in the declaration, because most calls have no observers.
            deliveries = EventDispatcher()
            number = Self.numbers.withLock { number in
                number += 1
                return number
            }
            parent = TaskContext.current.observedCall
            url = Redaction.url(plan.url, secretNames: plan.secretNames)
            start = time.now
        }

        fileprivate func tell(_ event: CallEvent) {
            for observer in observers { observer.observe(event) }
        }

        /// Runs work whose calls are reported as children of this call.
        package func within<Value: Sendable>(
            _ work: () async throws(APIError) -> Value
        ) async throws(APIError) -> Value {
            try await TaskContext.run(changing: { $0.observedCall = number }, work)
        }
    }

    /// Whether the call has observers.
    package var isObserved: Bool { context.reporting != nil }

    /// Reports an event to the observers, evaluating it only if there are any.
    package func report(_ kind: @autoclosure () -> CallEvent.Kind) {
        guard let reporting = context.reporting else { return }
        tell(reporting, kind(), facts: CallEvent.Facts())
    }

    /// Reports the end of the call.
    ///
    /// Later events are discarded.
    package func reportEnd(_ kind: @autoclosure () -> CallEvent.Kind) async {
        guard let reporting = context.reporting else { return }
        let kind = kind()
        await reporting.deliveries.deliverLast { reporting.tell(event(reporting, kind, facts: CallEvent.Facts())) }
    }

    /// Reports the end of the call without waiting.
    ///
    /// Events from other tasks may be delivered concurrently.
    package func reportAbandoned(_ kind: @autoclosure () -> CallEvent.Kind) {
        guard let reporting = context.reporting else { return }
        let kind = kind()
        reporting.deliveries.deliverLastAtOnce { reporting.tell(event(reporting, kind, facts: CallEvent.Facts())) }
    }

    /// Reports an event for a request.
    package func report(_ kind: @autoclosure () -> CallEvent.Kind, of request: CallRequest) {
        guard let reporting = context.reporting else { return }
        let fields = request.headerFields
        let facts = CallEvent.Facts(
            url: shown(request.url, request.secrets),
            headerFields: { Redaction.fields(fields, secretNames: request.secrets.collected) }
        )
        tell(reporting, kind(), facts: facts)
    }

    /// Reports an event for a response.
    package func report(_ kind: @autoclosure () -> CallEvent.Kind, of response: CallResponse) {
        guard let reporting = context.reporting else { return }
        let fields = response.headerFields
        let secrets = response.secrets(of: plan)
        let facts = CallEvent.Facts(
            url: response.url.flatMap { shown($0, secrets) },
            // The server may have repeated the request's secrets in any field.
            headerFields: { Redaction.fields(fields, secretNames: secrets.collected) },
            metrics: response.report?.metrics
        )
        tell(reporting, kind(), facts: facts)
    }

    /// Returns a URL with secrets redacted, including request secrets repeated by the server; nil if it is the call's
    /// URL.
    private func shown(_ url: URL, _ secrets: CallSecrets) -> String? {
        guard url != plan.url else { return nil }
        return Redaction.url(text: url.absoluteString, secretNames: secrets.collected, isRedirect: true)
    }

    private func tell(_ reporting: Reporting, _ kind: CallEvent.Kind, facts: CallEvent.Facts) {
        reporting.deliveries.deliver { reporting.tell(event(reporting, kind, facts: facts)) }
    }

    private func event(_ reporting: Reporting, _ kind: CallEvent.Kind, facts: CallEvent.Facts) -> CallEvent {
        var event = CallEvent(
            number: reporting.number,
            parent: reporting.parent,
            method: plan.method,
            template: plan.template,
            url: facts.url ?? reporting.url,
            attempt: attempt,
            time: context.time.now - reporting.start,
            kind: kind
        )
        event.facts = facts
        return event
    }
}
