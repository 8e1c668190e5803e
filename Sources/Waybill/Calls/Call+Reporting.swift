extension Call {
    /// What is kept for the observers of a call.
    package struct Reporting: Sendable {
        let observers: [any CallObserver]
        let number: Int
        let url: String
        let start: Duration

        private static let numbers = Locked(0)

        /// Nil where nobody observes.
        package init?(_ plan: Plan, _ time: Timeline) {
            guard let observers = plan.settings[CallObservers.self]?.observers else { return nil }
            self.observers = observers
            number = Self.numbers.withLock { number in
                number += 1
                return number
            }
            url = Redaction.url(plan.url, secretNames: plan.secretNames)
            start = time.now
        }
    }

    /// Tells the observers what happens; costs nothing where there are none.
    package func report(_ kind: @autoclosure () -> CallEvent.Kind) {
        guard let reporting = context.reporting else { return }
        let event = CallEvent(
            number: reporting.number,
            method: plan.method,
            template: plan.template,
            url: reporting.url,
            attempt: attempt,
            time: context.time.now - reporting.start,
            kind: kind()
        )
        for observer in reporting.observers { observer.observe(event) }
    }
}
