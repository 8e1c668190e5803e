import Foundation
import Waybill

/// An open recording: the exchanges in its file, and the newly recorded ones.
final class RecordingSession: Sendable {
    /// A response to replay, or the index of a new exchange to record.
    enum Match {
        /// The response, and the zero-based index of its entry in the file.
        case recorded(RecordedExchange, entry: Int)
        /// The index of the new exchange, for ``complete(_:knowing:_:)``.
        case missing(index: Int)
    }

    private struct Slot {
        var exchange: RecordedExchange
        let key: RequestKey
        /// The zero-based index of the entry in the file; nil for a new exchange.
        var fileIndex: Int?
        var isUsed = false
        var isComplete = true
        /// The number of the file's secrets already removed from the exchange.
        var removedCount = 0
    }

    /// The part of the recording not yet in the file.
    private struct Unwritten: Sendable {
        var byteCount = 0
        var secrets: Set<String> = []
        /// The number of bytes already written by this session.
        var writtenCount = 0

        /// Whether to write the file.
        ///
        /// Each write replaces the whole file. A short recording is therefore written with each response, and a long
        /// one each time it has doubled.
        var isDue: Bool { byteCount + writtenCount <= 256_000 || byteCount >= writtenCount }
    }

    let mode: RecordedTransport.Mode
    private let file: RecordingFile
    private let name: String?
    private let variations: [RecordedTransport.Variation]
    private let slots: Locked<[Slot]>
    private let unwritten = Locked(Unwritten())
    private let contents: Data?

    init(
        _ file: RecordingFile,
        _ mode: RecordedTransport.Mode,
        name: String?,
        variations: [RecordedTransport.Variation]
    ) throws(RecordedTransport.Failure) {
        self.file = file
        self.mode = mode
        self.name = name
        self.variations = variations
        // Reads the file even when recording: overwriting an unreadable file could lose its other recordings.
        let found = mode == .live ? nil : try file.contents()
        contents = found
        let log = try found.map { (data) throws(RecordedTransport.Failure) in try file.read(data) }
        let entries = (log?.entries ?? []).enumerated().filter { $0.element.name == name }
        if mode == .replay {
            guard log != nil else { throw RecordedTransport.Failure(.missingFile, file: file.url) }
            if let name, log?.names.contains(name) != true {
                throw RecordedTransport.Failure(.missingName(name), file: file.url)
            }
        }
        let kept = mode == .replay || mode == .recordMissing ? entries : []
        slots = Locked(
            kept.map { index, exchange in
                Slot(exchange: exchange, key: RequestKey(exchange, varying: variations), fileIndex: index)
            }
        )
    }

    /// Returns the first unused response to a request, or a slot for a new one.
    func response(to request: RecordedExchange) throws(TransportError) -> Match {
        var request = request
        request.name = name
        let key = RequestKey(request, varying: variations)
        let match = slots.withLock { slots -> Match? in
            let isUnused = { (slot: Slot) in !slot.isUsed && slot.fileIndex != nil }
            let index =
                slots.firstIndex { isUnused($0) && $0.key == key }
                // A value may be redacted in the file because another request sends it as a secret.
                ?? slots.firstIndex { isUnused($0) && $0.key.fits(key) }
            if let index {
                slots[index].isUsed = true
                return .recorded(slots[index].exchange, entry: slots[index].fileIndex ?? index)
            }
            guard mode != .replay else { return nil }
            slots.append(Slot(exchange: request, key: key, fileIndex: nil, isUsed: true, isComplete: false))
            return .missing(index: slots.count - 1)
        }
        if let match { return match }
        let alike = slots.withLock { slots in slots.filter { $0.key.isLike(key) } }
        let candidates = alike.map { slot in
            let differences = slot.isUsed ? "" : slot.key.differences(of: key).text
            return differences.isEmpty ? text(of: slot) : "\(text(of: slot)): \(differences)"
        }
        let error = RecordedTransport.Failure(
            .noResponse(request: request.summary, candidates: candidates),
            file: file.url
        )
        throw TransportError(.unsupportedRequest, error.description, underlying: error)
    }

    /// The recorded requests that were not repeated.
    var unusedRequests: [String] {
        slots.withLock { slots in slots.filter { !$0.isUsed } }.map { text(of: $0) }
    }

    func finish() throws(RecordedTransport.Failure) {
        switch mode {
        case .live: return
        case .replay:
            let unused = unusedRequests
            guard unused.isEmpty else { throw RecordedTransport.Failure(.unusedRequests(unused), file: file.url) }
        case .record, .recordMissing:
            try write()
            let unfinished = slots.withLock { slots in slots.filter { !$0.isComplete } }.map { text(of: $0) }
            guard unfinished.isEmpty else {
                throw RecordedTransport.Failure(.unfinishedResponses(unfinished), file: file.url)
            }
        }
    }

    /// Completes an exchange, and writes the file, without secrets, if a write is due.
    func complete(
        _ index: Int,
        knowing secrets: Set<String>,
        _ change: (inout RecordedExchange) -> Void
    ) throws(TransportError) {
        let count = slots.withLock { slots in
            change(&slots[index].exchange)
            slots[index].exchange.name = name
            slots[index].isComplete = true
            return slots[index].exchange.byteCount
        }
        let isDue = unwritten.withLock { unwritten in
            unwritten.byteCount += count
            unwritten.secrets.formUnion(secrets)
            return unwritten.isDue
        }
        guard isDue else { return }
        do throws(RecordedTransport.Failure) {
            try write()
        } catch {
            throw TransportError(.unavailable, error.description, underlying: error)
        }
    }

    // Saves the recording of a test that ends without calling `finish()`.
    deinit {
        if mode != .replay, mode != .live, unwritten.withLock({ $0.byteCount > 0 }) { try? write() }
    }

    private func write() throws(RecordedTransport.Failure) {
        let secrets = unwritten.withLock { unwritten in
            unwritten.writtenCount += unwritten.byteCount
            unwritten.byteCount = 0
            return unwritten.secrets
        }
        try file.replace(name, knowing: secrets) { [slots] known in
            slots.withLock { slots in
                // Most exchanges have the same count and share a search.
                var searches: [Int: SecretSearch] = [:]
                for index in slots.indices where slots[index].isComplete && slots[index].removedCount < known.count {
                    let count = slots[index].removedCount
                    let search = searches[count] ?? SecretSearch(known.names(since: count).longValues)
                    searches[count] = search
                    slots[index].exchange.remove(search)
                    slots[index].removedCount = known.count
                }
                return slots.filter(\.isComplete).map(\.exchange)
            }
        }
        unwritten.withLock { $0.secrets.subtract(secrets) }
    }

    private func text(of slot: Slot) -> String {
        let use = slot.isUsed && mode == .replay ? ", used" : ""
        guard let line = slot.fileIndex.flatMap(line(ofEntry:)) else { return slot.exchange.summary + use }
        return "\(slot.exchange.summary) (line \(line)\(use))"
    }

    /// Returns the name of the file and the line where an entry begins.
    func place(ofEntry index: Int) -> String {
        let name = file.url.lastPathComponent
        return line(ofEntry: index).map { "\(name), line \($0)" } ?? name
    }

    private func line(ofEntry index: Int) -> Int? {
        contents.flatMap { RecordingFile.line(ofEntry: index, in: $0) }
    }
}
