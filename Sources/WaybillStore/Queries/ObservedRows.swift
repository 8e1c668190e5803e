import Observation
import Waybill
import WaybillSystem

/// The rows of a query, for a view: as they are, and as they change.
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
/// Rows are read and compared away from the main thread; a change touches the rows that it concerns. It observes for as
/// long as it is there.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable
public final class ObservedRows<Element: Entity> {
    /// The rows; each keeps its identity when its server gives the id.
    public private(set) var rows: [StoredChange<Element>.Row] = []

    /// Whether the rows have been read.
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
            guard let self, !query.core.registry.isServed(query.context) else { return }
            // Another user may be looking by now.
            self.rows = []
        }
    }

    /// The states of the rows of the collection, as they are and as they change.
    ///
    /// They are read from the first use of this property on, and are empty until they have been read.
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
            guard let self, !self.query.core.registry.isServed(self.query.context) else { return }
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
    /// Returns the rows for a view, which follows their changes.
    @MainActor public func observed() -> ObservedRows<Element> { ObservedRows(self) }
}
