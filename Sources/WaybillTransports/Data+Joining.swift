import WaybillSystem

extension Data {
    /// Joins pieces of a body; `Data(joined())` appends byte by byte and is some thirty times slower.
    package init(joining pieces: [Data]) {
        guard pieces.count != 1 else {
            self = pieces[0]
            return
        }
        self.init(capacity: pieces.reduce(0) { $0 + $1.count })
        for piece in pieces { append(piece) }
    }
}
