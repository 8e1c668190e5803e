import Waybill
import WaybillJSON
import WaybillSystem

/// The comparison of one body with what the call decodes of it.
struct BodyComparison {
    let root = DriftPlace()

    /// The number of findings for which an object has too many keys.
    private(set) var omittedCount = 0

    /// The number of findings that explain why a body was not decoded.
    var severeCount = 0

    /// The number of members that nothing decodes.
    var unreadCount = 0

    /// The number of alternatives around the value that is compared.
    var alternativeDepth = 0

    /// Whether missing members are those that were sent.
    private var isMerged = false

    let expectation: BodyExpectation
    private let date: Date

    init(_ expectation: BodyExpectation, date: Date) {
        self.expectation = expectation
        self.date = date
    }

    /// Returns a comparison of the same kind without findings, for one of several alternatives.
    func trial() -> BodyComparison {
        var trial = BodyComparison(expectation, date: date)
        trial.isMerged = isMerged
        trial.alternativeDepth = alternativeDepth + 1
        return trial
    }

    /// Compares the body of a response.
    mutating func compare(_ response: InspectedResponse) {
        isMerged = response.outcome == .merged
        if let body = try? JSONDefaults.decoder.decode(JSONValue.self, from: response.body) {
            compare(body, with: expectation.parts, at: root)
        }
        switch response.outcome {
        case .merged: break
        case .failed: if severeCount == 0 { note(.undecodable, at: root) }
        case .decoded(let count): if count > 0 { noteDroppedItems(count) }
        }
    }

    private mutating func noteDroppedItems(_ count: Int) {
        let list = (expectation.parts.first?.path ?? []).reduce(root as DriftPlace?) { place, key in
            switch key {
            case .key(let name): place?.place(.member(name))
            case .index: place?.place(.element)
            }
        }
        list?.place(.element)?.note(.droppedItem, count: count, at: date)
    }

    /// Notes a finding of a kind; one without a place is counted.
    mutating func note(_ kind: DriftReport.Kind, at place: DriftPlace?) {
        switch kind {
        case .missing, .null, .otherType, .unknownCase, .undecodable: severeCount += 1
        case .unread: unreadCount += 1
        case .neverPresent, .droppedItem: break
        }
        guard let place else {
            omittedCount += 1
            return
        }
        place.note(kind, at: date)
    }

    /// Notes that a member did not come.
    mutating func noteAbsence(_ key: String, isRequired: Bool, at place: DriftPlace) {
        guard !isMerged else { return }
        note(isRequired ? .missing : .neverPresent, at: place.place(.member(key)))
    }

    /// Returns the place of a value below another one; nil and counted if there is no room for it.
    mutating func place(_ step: DriftPlace.Step, below place: DriftPlace) -> DriftPlace? {
        let found = place.place(step)
        if found == nil { omittedCount += 1 }
        return found
    }
}
