import Observation
import Waybill
import WaybillSystem

/// The rows of a query for a view, updated as they change.
///
/// ```swift
/// struct ProductList: View {
///     @State private var products: ObservedRows<Product>
///
///     init(_ store: Store) { products = store.collection(shop.products).sorted(by: \.name).observed() }
///
///     var body: some View {
///         List(products.rows) { row in
///             Text(row.element.name).badge(products.states[row] == nil ? nil : Text("not sent"))
///         }
///     }
/// }
/// ```
///
/// Rows are read and compared off the main thread, and only changed rows are updated. The query is observed until the
/// object is deallocated.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable
public final class ObservedRows<Element: Entity> {
    /// The rows, whose identities stay the same when the server assigns ids.
    public private(set) var rows: [StoredChange<Element>.Row] = []

    /// Whether the rows have been loaded.
    public private(set) var isLoaded = false

    /// The items of the rows.
    public var elements: [Element] { rows.map(\.element) }

    private var loadedStates = StoredQuery<Element>.States()

    @ObservationIgnored private let query: StoredQuery<Element>
    @ObservationIgnored private var task: Task<Void, Never>?
    @ObservationIgnored private var statesTask: Task<Void, Never>?

    init(_ query: StoredQuery<Element>) {
        self.query = query
        task = Task { [weak self] in
            for await change in query.changes {
                guard let self else { return }
                self.apply(change)
            }
            guard let self, !query.core.registry.isActive(query.context) else { return }
            // The store may have been switched to another user.
            self.rows = []
        }
    }

    /// The states of the collection's rows, updated as they change.
    ///
    /// They are loaded in the background when this property is first read, and are empty until then.
    public var states: StoredQuery<Element>.States {
        if statesTask == nil { observeStates() }
        return loadedStates
    }

    private func observeStates() {
        let changes = query.stateChanges
        statesTask = Task { [weak self] in
            for await states in changes {
                guard let self else { return }
                self.loadedStates = states
            }
            guard let self, !self.query.core.registry.isActive(self.query.context) else { return }
            self.loadedStates = StoredQuery<Element>.States()
        }
    }

    private func apply(_ change: StoredChange<Element>) {
        switch change {
        case .rows(let rows): self.rows = rows
        case .differences(let differences): for difference in differences { rows.apply(difference) }
        }
        isLoaded = true
    }

    isolated deinit {
        task?.cancel()
        statesTask?.cancel()
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension StoredQuery {
    /// Returns the rows of the query for a view, updated as they change.
    @MainActor public func observed() -> ObservedRows<Element> { ObservedRows(self) }
}
