import Foundation

/// A response body: a repeated block between an opening and a closing part.
///
/// Neither side needs to hold the body in memory, and both know its elements.
struct StreamBody: Sendable {
    /// The length of a file's block, in bytes.
    static let blockLength = 1 << 20

    /// The media type.
    var contentType = "application/json"

    /// The bytes before and after the blocks.
    var (opening, closing) = (Data(), Data())

    /// The block, and the number of times it is sent.
    let block: Data
    let count: Int

    /// Whether the first 8 bytes of each block are its number, little-endian.
    var isNumbered = false

    /// The tally of all elements in the body.
    var elements = StreamTally()

    /// The length, in bytes.
    var length: Int { opening.count + block.count * count + closing.count }

    /// Creates the body for a task.
    init(_ task: StreamTask, _ size: StreamSize) {
        self =
            switch task {
            case .multipart, .download: .file(size)
            case .list: .list(upTo: size.listLength) { ListedProduct.json($0) }
            case .numbers: .list(upTo: size.listLength) { "\($0 % 1000)" }
            case .pairs: .list(upTo: size.listLength) { "[\($0 % 1000),\($0 % 90)]" }
            case .events: .events(size.events)
            }
    }

    private init(block: Data, count: Int) {
        self.block = block
        self.count = count
    }

    /// Returns the numbered blocks of a file.
    private static func file(_ size: StreamSize) -> StreamBody {
        var generator = SplitMix64(seed: 11)
        var block = Data(capacity: blockLength)
        while block.count < blockLength { withUnsafeBytes(of: generator.next()) { block.append(contentsOf: $0) } }
        var body = StreamBody(block: block, count: size.fileLength / blockLength)
        body.contentType = "application/octet-stream"
        body.isNumbered = true
        return body
    }

    /// Returns a list in an envelope.
    private static func list(upTo length: Int, _ element: (Int) -> String) -> StreamBody {
        let texts = texts(element)
        var body = StreamBody(
            block: Data(texts.map { $0 + "," }.joined().utf8),
            count: max(1, length / texts.reduce(0) { $0 + $1.utf8.count + 1 })
        )
        body.opening = Data(#"{"data":["#.utf8)
        body.closing = Data("\(element(0))],\"meta\":{\"next\":null}}".utf8)
        body.elements = StreamTally(count: texts.count * body.count + 1, sum: sum(texts.count) * body.count)
        return body
    }

    /// Returns server-sent events.
    private static func events(_ count: Int) -> StreamBody {
        let perBlock = min(1000, count)
        let text = (0..<perBlock).map { "event: change\nid: \($0)\ndata: \(ListedProduct.json($0))\n\n" }.joined()
        var body = StreamBody(block: Data(text.utf8), count: count / perBlock)
        body.contentType = "text/event-stream"
        body.elements = StreamTally(count: perBlock * body.count, sum: sum(perBlock) * body.count)
        return body
    }

    /// Returns elements for the numbers below 1000, repeated until they fill half a block.
    private static func texts(_ element: (Int) -> String) -> [String] {
        var texts: [String] = []
        var length = 0
        while length < blockLength / 2 {
            let thousand = (0..<1000).map(element)
            length += thousand.reduce(0) { $0 + $1.utf8.count + 1 }
            texts += thousand
        }
        return texts
    }

    /// Returns the sum of the numbers in a block's elements.
    private static func sum(_ count: Int) -> Int {
        let (thousands, rest) = count.quotientAndRemainder(dividingBy: 1000)
        return thousands * (999 * 1000 / 2) + rest * (rest - 1) / 2
    }
}

/// The number of elements read by a client, and the sum of their numbers.
struct StreamTally: Sendable, Equatable {
    var count = 0
    var sum = 0

    /// Counts an element with a number.
    mutating func add(_ number: Int) {
        count += 1
        sum += number
    }
}
