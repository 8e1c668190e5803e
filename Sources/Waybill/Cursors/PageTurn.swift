/// What a pagination scheme makes of a page: where to go from it, and how much there is in all.
public struct PageTurn: Sendable {
    /// The request for the next page; nil where this is the last one.
    public var next: PageRequest?

    /// The request for the page before; nil where this is the first one, or where the scheme cannot go back.
    public var previous: PageRequest?

    /// How many items there are in all, where the server says.
    public var total: Int?

    /// Creates a turn, by default one that ends the walk.
    public init(next: PageRequest? = nil, previous: PageRequest? = nil, total: Int? = nil) {
        self.next = next
        self.previous = previous
        self.total = total
    }
}
