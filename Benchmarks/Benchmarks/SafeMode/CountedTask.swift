import Foundation

/// Work on a document, done a number of times in a process of its own that does little else.
struct CountedTask: Sendable {
    enum Work: String, CaseIterable, Sendable {
        case decoding
        case encoding
    }

    let work: Work
    let document: CountedDocument
    /// The file with the bytes of the document.
    let file: URL
    let times: Int

    init(_ work: Work, of document: CountedDocument, in file: URL, times: Int) {
        self.work = work
        self.document = document
        self.file = file
        self.times = times
    }

    /// Reads the arguments of such a process; nil if they are others.
    init?(_ arguments: some Sequence<String>) {
        let words = Array(arguments)
        guard words.count == 5, words[0] == "--count-document", let work = Work(rawValue: words[1]),
            let document = CountedDocument.all.first(where: { $0.name == words[2] }), let times = Int(words[4])
        else { return nil }
        self.init(work, of: document, in: URL(fileURLWithPath: words[3]), times: times)
    }

    /// The arguments that ``init(_:)`` reads.
    var arguments: [String] { ["--count-document", work.rawValue, document.name, file.path, "\(times)"] }

    /// Does the work, and prints the encoded document.
    func run() throws {
        guard let result = try document.perform(work, times, Data(contentsOf: file)) else { return }
        try FileHandle.standardOutput.write(contentsOf: result)
    }
}
