import Waybill

/// An observer that compares the JSON of responses with the types that decode it.
///
/// ```swift
/// let drift = DriftDetector()
/// let client = Client(url) { Observe(drift) }
/// // …calls…
/// print(drift.report)
/// // GET products/{}: 12 responses
/// //   data.color: not read, 12 times in 12 responses
/// //   data.price: a string instead of a number, 1 time in 1 response
/// ```
///
/// The detector inspects successful responses decoded by a `WaybillJSONDecoder` or a `JSONDecoder`: values, pages and
/// write results, including their envelopes, metadata and pagination fields. It skips streams, plain text and bytes,
/// bodies ignored by the call, and batches with a `WriteResult.ItemProblem`.
///
/// It stores keys, kinds of differences, counts and times, but no values. It stores at most ``maximumKeyPaths`` key
/// paths, and at most ``maximumKeysPerObject`` keys per object; ``DriftDetector/Report/omittedCount`` counts the
/// findings beyond these limits. The comparison runs in the call's task, after decoding.
public final class DriftDetector: CallObserver {
    /// The maximum number of key paths stored by a detector: 10,000.
    public static let maximumKeyPaths = 10_000

    /// The maximum number of keys stored for each object: 500.
    public static let maximumKeysPerObject = 500

    private let sampleRate: Double
    private let dates: Client.DateProvider
    private let random: RandomSource
    private let store = Locked(DriftStore())
    private let expectations = Locked<[BodyExpectation.Key: BodyExpectation]>([:])

    /// Creates a detector.
    ///
    /// - Parameters:
    ///   - sampleRate: the fraction of responses to compare, from 0 for none to 1 for all. Values below 0 and NaN are
    ///     treated as 0, and values above 1 as 1.
    ///   - dates: the source of the current date, for the first and last occurrence of each difference.
    ///   - randomNumberGenerator: the generator that selects the responses to compare. Its `next()` is called with a
    ///     lock held, and must not block.
    public init(
        sampleRate: Double = 1,
        dates: Client.DateProvider = .system,
        randomNumberGenerator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.sampleRate = sampleRate
        self.dates = dates
        random = RandomSource(randomNumberGenerator)
    }

    /// Does nothing, because a detector inspects responses instead of events.
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
        // `>=` and `>` are false for NaN, so a NaN rate compares nothing.
        guard sampleRate >= 1 || (sampleRate > 0 && random.fraction < sampleRate) else { return }
        let response = response()
        guard let expectation = expectation(of: response) else { return }
        let date = dates.now
        var comparison = BodyComparison(expectation, date: date)
        comparison.compare(response)
        if comparison.contradictsSchema, let key = BodyExpectation.Key(response),
            let relearned = expectation.relearned(with: response)
        {
            expectations.withLock { $0[key] = relearned }
            comparison = BodyComparison(relearned, date: date)
            comparison.compare(response)
        }
        store.withLock { $0.add(comparison, of: .init(method: response.method, template: response.template)) }
    }

    /// Returns the expectation for a response; nil if its decoder is not supported.
    private func expectation(of response: InspectedResponse) -> BodyExpectation? {
        guard let key = BodyExpectation.Key(response) else { return nil }
        if let known = expectations.withLock({ $0[key] }) { return known }
        // Learning runs initializers of the app, so it happens outside the lock. Two concurrent calls can both learn
        // the expectation, with the same result.
        let learned = BodyExpectation(response)
        expectations.withLock { $0[key] = learned }
        return learned
    }
}
