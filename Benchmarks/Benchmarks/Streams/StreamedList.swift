/// The list in its envelope, as a body that is decoded as a whole has it.
struct StreamedList<Element: Decodable & Sendable>: Decodable, Sendable {
    let data: [Element]
}
