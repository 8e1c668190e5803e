import Waybill

/// An observer that compares the JSON of responses with what the declared types decode of it.
///
/// ```swift
/// let drift = DriftDetector()
/// let client = Client(url) { Observe(drift) }
/// // …calls…
/// print(drift.report)
/// // GET products/{}: 12 responses
/// //   data.color: not read, 12 times in 12 responses
/// //   data.price: a string in place of a number, 1 time in 1 response
/// ```
///
/// It reads the bodies of calls that succeed and whose decoder is a `WaybillJSONDecoder` or a `JSONDecoder`: of
/// values, pages and writes, with their envelopes, metadata and paging fields. It does not read streams, bodies that
/// are only text or bytes, bodies that are ignored, and batches with a `WriteResult.ItemProblem`.
///
/// It keeps keys, kinds, counts and times, and no values. It keeps at most ``maximumKeyPaths`` key paths, and of each
/// object at most ``maximumKeysPerObject`` keys; ``DriftDetector/Report/omittedCount`` counts what is found beyond. The
/// comparison runs on the task of the call, after decoding.
public final class DriftDetector: CallObserver {
    /// The largest number of key paths that a detector keeps: 10,000.
    public static let maximumKeyPaths = 10_000

    /// The largest number of keys that a detector keeps of an object: 500.
    public static let maximumKeysPerObject = 500

    private let sampleRate: Double
    private let dates: DateProvider
    private let random: RandomSource
    private let store = Locked(DriftStore())
    private let expectations = Locked<[BodyExpectation.Key: BodyExpectation]>([:])

    /// Creates a detector.
    ///
    /// - Parameters:
    ///   - sampleRate: the fraction of responses that are compared, from 0 for none to 1 for all; a value below 0
    ///     and NaN count as 0, one above 1 as 1.
    ///   - dates: the date, for the first and the last time of an entry.
    ///   - randomNumberGenerator: the generator that decides which responses are compared. Its `next()` runs under a
    ///     lock, and must not wait for anything.
    public init(
        sampleRate: Double = 1,
        dates: DateProvider = .system,
        randomNumberGenerator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.sampleRate = sampleRate
        self.dates = dates
        random = RandomSource(randomNumberGenerator)
    }

    /// Does nothing, because a detector reads responses and not events.
    ///
    /// - Parameter event: ignored.
    public func observe(_ event: CallEvent) {}

    /// The findings so far, by endpoint and key path.
    public var report: DriftDetector.Report { store.withLock { $0.report } }

    /// Removes all findings and counts.
    public func reset() { store.withLock { $0 = DriftStore() } }
}

extension DriftDetector: ResponseInspector {
    package func inspect(_ response: () -> InspectedResponse) {
        // Not `<`, so that NaN compares nothing.
        guard sampleRate >= 1 || (sampleRate > 0 && random.fraction < sampleRate) else { return }
        let response = response()
        guard let expectation = expectation(of: response) else { return }
        let date = dates.now
        var comparison = BodyComparison(expectation, date: date)
        comparison.compare(response)
        if comparison.contradictsSchema, let key = BodyExpectation.Key(response),
            let learned = expectation.learned(with: response)
        {
            expectations.withLock { $0[key] = learned }
            comparison = BodyComparison(learned, date: date)
            comparison.compare(response)
        }
        store.withLock { $0.add(comparison, of: .init(method: response.method, template: response.template)) }
    }

    /// Returns what a response should have; nil if its decoder does not read JSON, or is not known.
    private func expectation(of response: InspectedResponse) -> BodyExpectation? {
        guard let key = BodyExpectation.Key(response) else { return nil }
        if let known = expectations.withLock({ $0[key] }) { return known }
        // Learned without the lock: it runs initializers of the app. Two calls may both do it, to the same result.
        let learned = BodyExpectation(response)
        expectations.withLock { $0[key] = learned }
        return learned
    }
}
