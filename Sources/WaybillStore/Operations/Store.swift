import Waybill
import WaybillSystem

/// An on-device store for the entities of REST resources, with a durable outbox for their writes.
///
/// ```swift
/// let store = try await Store(at: folder)
/// let products = store.collection(shop.products) {
///     Store.Delta(.updatedSince("updated_at", as: "since"), deleted: "deleted_at")
///     Store.Conflicts(.merge(clash: .mine))
///     Store.Index(\.category)
/// }
/// let lamp = try await products.create(.init(name: "Lamp", price: 30))    // durable when it returns
/// try await products.patch(lamp.id) { $0.name = "Desk lamp" }             // sent when it can be
/// let cheap = try await products.filter { $0.price < 50 }.elements()      // read from the device
/// let report = try await store.synchronize()
/// ```
///
/// A store is a single SQLite file that one process at a time can open for writing. Envelopes, pagination, problems,
/// retries, credentials and idempotency keys come from the declared resources; do not declare them again.
public struct Store: Sendable {
    let core: StoreCore
    let sender: OutboxSender
    let synchronizer: Synchronizer

    /// Opens the store in a folder, creating it if necessary.
    ///
    /// The folder and its file `store.sqlite` are created with access for their owner only.
    ///
    /// - Parameters:
    ///   - folder: the folder that contains the store.
    ///   - user: the id of the user who owns the rows and writes, not a secret; nil for an app without users.
    ///   - settings: the settings for sending writes.
    ///   - clock: the clock used for delays.
    ///   - dates: the source of the current date, for comparison with dates from servers.
    ///   - randomNumberGenerator: the source of idempotency keys and of the jitter in delays.
    /// - Throws: ``StoreError/database(_:)`` if SQLite is missing, or if the file cannot be opened, is not a store, or
    ///   has a newer format; ``StoreError/clause(_:)`` if the user id is empty.
    public init(
        at folder: URL,
        user: String? = nil,
        settings: StoreSettings = StoreSettings(),
        clock: some Clock<Duration> = ContinuousClock(),
        dates: Client.DateProvider = .system,
        randomNumberGenerator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) async throws(StoreError) {
        let user = try Self.key(of: user)
        self.init(
            try await Database.open(at: Self.file(in: folder), prepare: StoreFormat.prepare),
            user: user,
            settings,
            AnyClock(clock),
            dates,
            RandomSource(randomNumberGenerator)
        )
        try await recover()
    }

    /// Opens the store in a folder with a given SQLite library, such as a test library that injects failures.
    ///
    /// - Parameters:
    ///   - folder: the folder that contains the store.
    ///   - user: the id of the user; nil for no user.
    ///   - settings: the settings for sending writes.
    ///   - library: the SQLite library.
    ///   - clock: the clock used for delays.
    ///   - dates: the source of the current date, for comparison with dates from servers.
    ///   - randomNumberGenerator: the source of idempotency keys and of the jitter in delays.
    /// - Throws: ``StoreError/database(_:)``; ``StoreError/clause(_:)`` if the user id is empty.
    package init(
        at folder: URL,
        user: String? = nil,
        settings: StoreSettings,
        library: SQLiteLibrary,
        clock: some Clock<Duration> = ContinuousClock(),
        dates: Client.DateProvider = .system,
        randomNumberGenerator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) async throws(StoreError) {
        let (file, user) = (Self.file(in: folder), try Self.key(of: user))
        let database = try await Database.open(at: file, library: library, prepare: StoreFormat.prepare)
        self.init(database, user: user, settings, AnyClock(clock), dates, RandomSource(randomNumberGenerator))
        try await recover()
    }

    /// Creates a store in memory, for previews and tests.
    ///
    /// - Parameters:
    ///   - user: the id of the user who owns the rows and writes; nil for an app without users.
    ///   - settings: the settings for sending writes.
    ///   - clock: the clock used for delays.
    ///   - dates: the source of the current date, for comparison with dates from servers.
    ///   - randomNumberGenerator: the source of idempotency keys and of the jitter in delays.
    /// - Returns: an empty store.
    /// - Throws: ``StoreError/database(_:)`` if SQLite is missing; ``StoreError/clause(_:)`` if the user id is empty.
    public static func inMemory(
        user: String? = nil,
        settings: StoreSettings = StoreSettings(),
        clock: some Clock<Duration> = ContinuousClock(),
        dates: Client.DateProvider = .system,
        randomNumberGenerator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) async throws(StoreError) -> Store {
        let user = try key(of: user)
        return Store(
            try await Database.open(at: nil, prepare: StoreFormat.prepare),
            user: user,
            settings,
            AnyClock(clock),
            dates,
            RandomSource(randomNumberGenerator)
        )
    }

    init(
        _ database: Database,
        user: String,
        _ settings: StoreSettings,
        _ clock: AnyClock,
        _ dates: Client.DateProvider,
        _ random: RandomSource
    ) {
        core = StoreCore(database, user: user, clock: clock, dates: dates, random: random, settings: settings)
        let sender = OutboxSender(core: core)
        self.sender = sender
        synchronizer = Synchronizer(sender: sender)
    }

    /// The store's pending writes.
    public var outbox: Store.Outbox { Store.Outbox(sender: sender) }

    /// The current state of the outbox.
    public var status: StoreStatus { core.events.status }

    /// The current state of the outbox, followed by each new state; a slow reader receives only the latest.
    public var statuses: AsyncStream<StoreStatus> { core.events.statuses }

    /// Future events of writes, conflicts and synchronizations.
    public var events: AsyncStream<StoreEvent> { core.events.events }

    /// Sends pending writes, and fetches changes to all declared collections, several at a time.
    ///
    /// A collection is fetched once its requests in flight have finished, without waiting for other collections'
    /// requests. Failed writes and writes waiting for a sign-in are retried. If a synchronization is already running,
    /// the call joins it, or runs after it if only this call fetches whole lists.
    ///
    /// - Parameter whole: whether to fetch whole lists even where a ``Store/Delta`` would fetch only changes. Use it
    ///   after permissions have changed or the server was restored from a backup.
    /// - Returns: a report of sent writes, fetched items and failures.
    /// - Throws: ``StoreError/database(_:)``; ``StoreError/cancelled``. Failures of individual collections are in the
    ///   report.
    @discardableResult
    public func synchronize(whole: Bool = false) async throws(StoreError) -> SynchronizationReport {
        try await synchronizer.synchronize(whole: whole)
    }

    /// Resumes sending after a sign-in.
    public func resume() async { await sender.resume() }

    /// Stops sending, cancels the requests in flight, and closes the file.
    ///
    /// Pending writes stay in the file, and are sent after the store is opened again and their collections are
    /// declared.
    public func close() async {
        await sender.close()
        await core.database.close()
        for collection in core.registry.all { collection.endObservation() }
        core.events.finish()
    }

    /// Requeues writes that were being sent when the app ended; their outcomes are unknown.
    private func recover() async throws(StoreError) {
        do throws(StoreError) {
            try await core.write { (store) throws(StoreError) in
                // Requests are saved before they are sent. A write without a request was still reading its item.
                try store.connection.execute(
                    """
                    UPDATE requests SET losses = losses + 1
                    WHERE number IN (SELECT request FROM outbox WHERE state = 'sending')
                    """
                )
                try store.connection.execute("UPDATE outbox SET state = 'waiting' WHERE state = 'sending'")
                try store.rebuildDerivedTables()
            }
            await sender.reportStatus()
        } catch {
            // Release the lock on the file.
            await core.database.close()
            throw error
        }
    }
}
