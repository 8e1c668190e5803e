import Foundation

/// The files of the `streams` suite, in a dedicated folder.
struct StreamFiles: Sendable {
    /// The error for a file that differs from the source.
    struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    let folder: URL
    let size: StreamSize

    init(folder: URL, size: StreamSize) {
        self.folder = folder
        self.size = size
    }

    /// Parses ``arguments``.
    init?(_ arguments: some Collection<String>) {
        guard arguments.count == 2, let path = arguments.first,
            let megabytes = arguments.dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        self.init(folder: URL(fileURLWithPath: path), size: StreamSize(megabytes: megabytes))
    }

    /// The folder and size as command-line arguments.
    var arguments: [String] { [folder.path, "\(size.megabytes)"] }

    /// The file to upload and copy.
    var source: URL { folder.appendingPathComponent("source") }

    /// Returns the file that a client writes.
    func target(_ client: StreamClient) -> URL { folder.appendingPathComponent(client.rawValue) }

    /// Writes the source file.
    func writeSource() throws {
        let body = StreamBody(.download, size)
        try Data().write(to: source)
        let file = try FileHandle(forWritingTo: source)
        var block = body.block
        for number in 0..<body.count {
            block.number(number)
            try file.write(contentsOf: block)
        }
        // Otherwise, the system could write the file to disk during a measurement.
        try file.synchronize()
        try file.close()
    }

    /// Checks that a file equals the source, and removes it.
    ///
    /// - Throws: ``Difference`` if the files differ, or the error of a file that cannot be read.
    func checkAndRemove(_ url: URL) throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let body = StreamBody(.download, size)
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        var block = body.block
        for number in 0..<body.count {
            block.number(number)
            guard try file.read(upToCount: block.count) == block else {
                throw Difference(description: "\(url.lastPathComponent) differs in its block \(number)")
            }
        }
        guard try file.read(upToCount: 1)?.isEmpty ?? true else {
            throw Difference(description: "\(url.lastPathComponent) has more than \(body.length) bytes")
        }
    }
}

extension Data {
    /// Overwrites the first 8 bytes with a number.
    mutating func number(_ number: Int) {
        withUnsafeMutableBytes { $0.storeBytes(of: UInt64(number).littleEndian, as: UInt64.self) }
    }
}
