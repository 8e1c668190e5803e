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
/// A store is one SQLite file, which only one process at a time can open for writing. Envelopes, pagination, problems,
/// retries, credentials and idempotency keys come from the declared resources; do not declare them again.
public struct Store: Sendable {
    let core: StoreCore
    let sender: OutboxSender
    let synchronizer: Synchronizer

    /// Opens the store in a folder, or creates it.
    ///
    /// Creates the folder and the file `store.sqlite` in it if they are missing. Only their owner can read them.
    ///
    /// - Parameters:
    ///   - folder: the folder that contains the store.
    ///   - user: the id of the user who owns the rows and writes, not a secret; nil for an app without users.
    ///   - settings: the settings for sending writes.
    ///   - clock: the clock used for delays.
    ///   - dates: the source of the current date, for comparison with dates from servers.
    ///   - randomNumberGenerator: the generator for idempotency keys and for the jitter of delays.
    /// - Throws: ``StoreError/database(_:)`` if SQLite is missing or the file cannot be opened, is not a store, or has
    ///   a newer format; ``StoreError/clause(_:)`` if the user id is empty.
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

    /// Opens the store in a folder with a given SQLite library, such as one whose calls fail in tests.
    ///
    /// - Parameters:
    ///   - folder: the folder that contains the store.
    ///   - user: the id of the user.
    ///   - settings: the settings for sending writes.
    ///   - library: the SQLite library.
    ///   - clock: the clock used for delays.
    ///   - dates: the source of the current date, for comparison with dates from servers.
    ///   - randomNumberGenerator: the generator for idempotency keys and for the jitter of delays.
    /// - Throws: ``StoreError/database(_:)``.
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
    ///   - randomNumberGenerator: the generator for idempotency keys and for the jitter of delays.
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

    /// The writes that have not reached their servers yet.
    public var outbox: Store.Outbox { Store.Outbox(sender: sender) }

    /// The current state of the outbox.
    public var status: StoreStatus { core.events.status }

    /// The current state of the outbox, followed by each new one; a slow reader gets only the newest.
    public var statuses: AsyncStream<StoreStatus> { core.events.statuses }

    /// The events of writes, conflicts and synchronizations from now on.
    public var events: AsyncStream<StoreEvent> { core.events.events }

    /// Sends the writes in the outbox and fetches the changes of all declared collections, several at a time.
    ///
    /// A collection is fetched after its own writes have been sent, without waiting for those of other collections.
    /// Failed writes are retried, and so are writes that wait for a sign-in. If a synchronization is already running,
    /// the call joins it, or runs after it if only this call fetches whole lists.
    ///
    /// - Parameter whole: whether to fetch whole lists even where a ``Store/Delta`` would fetch only changes. Use it
    ///   after permissions have changed or the server was restored from a backup.
    /// - Returns: the numbers of sent writes and fetched items, and the failures.
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
    /// Pending writes are sent when the store is opened again.
    public func close() async {
        await sender.close()
        await core.database.close()
        for collection in core.registry.all { collection.endObservation() }
        core.events.finish()
    }

    /// Requeues the writes that were being sent when the program ended; their outcome is unknown.
    private func recover() async throws(StoreError) {
        do throws(StoreError) {
            try await core.write { (store) throws(StoreError) in
                // A request is saved before it is sent. A write without one was still reading its item.
                try store.connection.execute(
                    """
                    UPDATE requests SET losses = losses + 1
                    WHERE number IN (SELECT request FROM outbox WHERE state = 'sending')
                    """
                )
                try store.connection.execute("UPDATE outbox SET state = 'waiting' WHERE state = 'sending'")
                try store.deriveTables()
            }
            await sender.reportStatus()
        } catch {
            // Closing releases the lock on the file.
            await core.database.close()
            throw error
        }
    }
}
