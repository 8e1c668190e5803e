import Waybill
import WaybillSystem

/// Entities of REST resources, kept on the device, with writes that survive.
///
/// ```swift
/// let store = try await Store(at: folder)
/// let products = store.collection(shop.products) {
///     Delta(.updatedSince("updated_at", as: "since"), deleted: "deleted_at")
///     Conflicts(.merge(clash: .mine))
///     Index(\.category)
/// }
/// let lamp = try await products.create(.init(name: "Lamp", price: 30))    // durable when it returns
/// try await products.patch(lamp.id) { $0.name = "Desk lamp" }             // sent when it can be
/// let cheap = try await products.filter { $0.price < 50 }.elements()      // read from the device
/// let report = try await store.synchronize()
/// ```
///
/// A store is one file of SQLite, which one process at a time has open. Envelopes, pagination, problems, retries,
/// credentials and idempotency keys are those of the declared resources: the store declares nothing a second time.
public struct Store: Sendable {
    let core: StoreCore
    let sender: OutboxSender
    let synchronizer: Synchronizer

    /// Opens the store in a folder, or creates it.
    ///
    /// The folder and the file `store.sqlite` in it are made if they are missing, and only their owner can read them.
    ///
    /// - Parameters:
    ///   - folder: the folder.
    ///   - user: the id of the user whose rows and writes they are, not a secret; nil for an app without users.
    ///   - settings: the settings.
    ///   - clock: the clock of waits.
    ///   - dates: the date, with which those of servers are compared.
    ///   - randomNumberGenerator: the generator of keys and of waits.
    /// - Throws: ``StoreError/database(_:)``: SQLite is missing, the file cannot be opened, is no store, or is one of a
    ///   newer version. ``StoreError/clause(_:)`` if the id of the user is empty.
    public init(
        at folder: URL,
        user: String? = nil,
        settings: StoreSettings = StoreSettings(),
        clock: some Clock<Duration> = ContinuousClock(),
        dates: DateProvider = .system,
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

    /// Opens the store in a folder with calls of SQLite that fail, for tests.
    ///
    /// - Parameters:
    ///   - folder: the folder.
    ///   - user: the id of the user.
    ///   - settings: the settings.
    ///   - library: the SQLite that is used.
    ///   - clock: the clock of waits.
    ///   - dates: the date, with which those of servers are compared.
    ///   - randomNumberGenerator: the generator of keys and of waits.
    /// - Throws: ``StoreError/database(_:)``.
    package init(
        at folder: URL,
        user: String? = nil,
        settings: StoreSettings,
        library: SQLiteLibrary,
        clock: some Clock<Duration> = ContinuousClock(),
        dates: DateProvider = .system,
        randomNumberGenerator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) async throws(StoreError) {
        let (file, user) = (Self.file(in: folder), try Self.key(of: user))
        let database = try await Database.open(at: file, library: library, prepare: StoreFormat.prepare)
        self.init(database, user: user, settings, AnyClock(clock), dates, RandomSource(randomNumberGenerator))
        try await recover()
    }

    /// Creates a store that ends with the program, for previews and tests.
    ///
    /// - Parameters:
    ///   - user: the id of the user whose rows and writes they are; nil for an app without users.
    ///   - settings: the settings.
    ///   - clock: the clock of waits.
    ///   - dates: the date, with which those of servers are compared.
    ///   - randomNumberGenerator: the generator of keys and of waits.
    /// - Returns: the store.
    /// - Throws: ``StoreError/database(_:)`` if SQLite is missing, ``StoreError/clause(_:)`` if the id of the user is
    ///   empty.
    public static func inMemory(
        user: String? = nil,
        settings: StoreSettings = StoreSettings(),
        clock: some Clock<Duration> = ContinuousClock(),
        dates: DateProvider = .system,
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
        _ dates: DateProvider,
        _ random: RandomSource
    ) {
        core = StoreCore(database, user: user, clock: clock, dates: dates, random: random, settings: settings)
        let sender = OutboxSender(core: core)
        self.sender = sender
        synchronizer = Synchronizer(sender: sender)
    }

    /// The writes that servers do not have yet.
    public var outbox: Outbox { Outbox(sender: sender) }

    /// The state of the outbox.
    public var status: StoreStatus { core.events.status }

    /// The present state of the outbox, and each further one; a slow reader gets the newest.
    public var statuses: AsyncStream<StoreStatus> { core.events.statuses }

    /// The events of writes, conflicts and synchronizations from now on.
    public var events: AsyncStream<StoreEvent> { core.events.events }

    /// Sends the writes of the outbox, and fetches what has changed in all declared collections, several at a time.
    ///
    /// A collection is fetched after its own writes were sent; those of others do not hold it up. A call while another
    /// one runs waits for that one's end. What failed before is tried again, and so is what waits for a sign-in.
    ///
    /// - Parameter whole: whether the whole lists are fetched where a ``Delta`` would ask for changes only: after
    ///   permissions have changed, or the server was restored from a backup.
    /// - Returns: what was sent and fetched, and what failed.
    /// - Throws: ``StoreError/database(_:)``, and ``StoreError/cancelled``; the failures of single collections are in
    ///   the report.
    @discardableResult
    public func synchronize(whole: Bool = false) async throws(StoreError) -> SynchronizationReport {
        try await synchronizer.synchronize(whole: whole)
    }

    /// Lets writes go out again after a sign-in.
    public func resume() async { await sender.resume() }

    /// Sends nothing more, and closes the file; what waits is sent when it is opened again.
    public func close() async {
        await sender.close()
        await core.database.close()
        for collection in core.registry.all { collection.endObservation() }
        core.events.finish()
    }

    /// Finds the writes that were under way when the program ended: whether they took effect is not known.
    private func recover() async throws(StoreError) {
        do throws(StoreError) {
            try await core.write { (store) throws(StoreError) in
                // A request was kept before anything of it was sent. Without one, an item was being read.
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
            // The file is locked until then.
            await core.database.close()
            throw error
        }
    }
}
