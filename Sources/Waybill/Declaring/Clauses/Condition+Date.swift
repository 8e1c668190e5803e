import WaybillSystem

extension Condition {
    /// Creates the condition with a date; one that HTTP cannot write is a declaration error of the clause.
    init(_ name: HTTPField.Name, _ date: Date, clause: String) {
        if let text = HTTPDate.text(from: date) {
            self = .field(name, text)
        } else {
            self = .declarationError(
                DeclarationError(
                    clause: clause,
                    value: Query.shown(date),
                    reason: "an HTTP date has a year from 0 to 9999; give such a date"
                )
            )
        }
    }
}
