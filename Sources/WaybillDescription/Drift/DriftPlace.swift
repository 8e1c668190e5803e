import WaybillSystem

/// A key path of a body, with what was found there, and the places below it.
///
/// A class, because a comparison writes to the places of one body from many calls of its functions.
final class DriftPlace {
    /// A step from a place to one below it.
    enum Step: Hashable {
        case member(String)
        /// An element of an array, whichever.
        case element
        /// A value of an object whose keys are data.
        case value
    }

    /// The occurrences of one kind of finding.
    struct Tally {
        var count: Int
        var responses: Int
        var first: Date
        var last: Date

        mutating func add(_ other: Tally) {
            count += other.count
            responses += other.responses
            first = min(first, other.first)
            last = max(last, other.last)
        }
    }

    /// The number of values that came, null included.
    var valueCount = 0
    private(set) var tallies: [DriftReport.Kind: Tally] = [:]
    private(set) var places: [Step: DriftPlace] = [:]

    /// Returns the place behind a step; nil if the place has as many as are kept.
    func place(_ step: Step) -> DriftPlace? {
        if let place = places[step] { return place }
        guard places.count < DriftDetector.mostKeysOfAnObject else { return nil }
        let place = DriftPlace()
        places[step] = place
        return place
    }

    /// Adds occurrences in one response.
    func note(_ kind: DriftReport.Kind, count: Int = 1, at date: Date) {
        guard tallies[kind] != nil else {
            tallies[kind] = Tally(count: count, responses: 1, first: date, last: date)
            return
        }
        tallies[kind]?.count += count
    }

    /// Adds the findings of another response.
    ///
    /// - Parameters:
    ///   - other: the place with the findings.
    ///   - room: the number of places that may still be made.
    ///   - omitted: the number of findings that have no place.
    func add(_ other: DriftPlace, room: inout Int, omitted: inout Int) {
        valueCount += other.valueCount
        for (kind, tally) in other.tallies {
            if tallies[kind]?.add(tally) == nil { tallies[kind] = tally }
        }
        for (step, place) in other.places {
            if places[step] == nil {
                guard room > 0, let _ = self.place(step) else {
                    omitted += place.findingCount
                    continue
                }
                room -= 1
            }
            places[step]?.add(place, room: &room, omitted: &omitted)
        }
    }

    /// The number of findings here and below.
    private var findingCount: Int {
        tallies.values.reduce(0) { $0 + $1.count } + places.values.reduce(0) { $0 + $1.findingCount }
    }
}
