/// The conditions under which a walk continues, and ends, as ``Paginated`` declares them.
struct PageWalkRules: Sendable {
    /// The most pages; nil for any number.
    var maximumPages: Int?
    var repeats = Paginated.Repeats.never
    var totals = Paginated.Totals.exact

    init(_ paginated: Paginated?) {
        guard let paginated else { return }
        maximumPages = paginated.maximumPages
        repeats = paginated.repeats
        totals = paginated.totals
    }
}
