import Foundation

/// Work on a document, repeated in a dedicated process.
struct CountedTask: Sendable {
    enum Work: String, CaseIterable, Sendable {
        case decoding
        case encoding
    }

    let work: Work
    let document: CountedDocument
    /// The file that contains the document.
    let file: URL
    let times: Int

    init(_ work: Work, of document: CountedDocument, in file: URL, times: Int) {
        self.work = work
        self.document = document
        self.file = file
        self.times = times
    }

    /// Parses the arguments of a counting process; returns nil for any other arguments.
    init?(_ arguments: some Sequence<String>) {
        let words = Array(arguments)
        guard words.count == 5, words[0] == "--count-document", let work = Work(rawValue: words[1]),
            let document = CountedDocument.all.first(where: { $0.name == words[2] }), let times = Int(words[4])
        else { return nil }
        self.init(work, of: document, in: URL(fileURLWithPath: words[3]), times: times)
    }

    /// The arguments that ``init(_:)`` parses.
    var arguments: [String] { ["--count-document", work.rawValue, document.name, file.path, "\(times)"] }

    /// Performs the work, and prints the encoded document, if any.
    func run() throws {
        guard let result = try document.perform(work, times, Data(contentsOf: file)) else { return }
        try FileHandle.standardOutput.write(contentsOf: result)
    }
}
