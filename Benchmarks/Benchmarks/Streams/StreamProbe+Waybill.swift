import Foundation
import Waybill
import WaybillJSON
import WaybillTransfers

extension StreamProbe {
    /// Performs the transfer with Waybill.
    func transfer(_ api: StreamAPI) async throws -> Outcome {
        switch task {
        case .multipart:
            let receipt = try await api.upload(files.source).send()
            guard receipt.isComplete, receipt.bytes > files.size.fileLength else {
                throw UnexpectedResult(description: "the server received \(receipt)")
            }
            return Outcome(bytes: receipt.bytes)
        case .download:
            return Outcome(bytes: try await api.file.download(to: files.target(client)).length)
        case .list: return try await read(api.list(task, of: ListedProduct.self), \.id)
        case .numbers: return try await read(api.list(task, of: Int.self), \.self)
        case .pairs: return try await read(api.list(task, of: [Int].self), \.first)
        case .events:
            let start = ContinuousClock.now
            var (first, tally): (Double?, StreamTally) = (nil, StreamTally())
            for try await event in try await api.changes.stream() {
                if first == nil { first = (ContinuousClock.now - start) / .seconds(1) }
                tally.add(event.data.id)
            }
            let body = StreamBody(task, files.size)
            try check(tally, of: body)
            return Outcome(bytes: body.length, firstElement: first)
        }
    }

    private func read<Element: Decodable & Sendable>(
        _ list: Endpoint<[Element]>,
        _ number: (Element) -> Int?
    ) async throws -> Outcome {
        let start = ContinuousClock.now
        var (first, tally): (Double?, StreamTally) = (nil, StreamTally())
        for try await element in try await list.stream() {
            if first == nil { first = (ContinuousClock.now - start) / .seconds(1) }
            tally.add(number(element) ?? -1)
        }
        let body = StreamBody(task, files.size)
        try check(tally, of: body)
        return Outcome(bytes: body.length, firstElement: first)
    }

    /// Returns work that decodes a whole in-memory body or, for events, each event's data separately.
    func wholeBody() throws -> @Sendable () async throws -> Outcome {
        let length = min(files.size.listLength, StreamSize.longestWholeBody)
        // Event data is decoded one by one, so all events together need no memory.
        let body = StreamBody(task, task == .events ? files.size : StreamSize(megabytes: max(1, length / 500_000)))
        let bytes = task == .events ? Data() : body.bytes
        let decoder = WaybillJSONDecoder()
        return {
            switch task {
            case .list: try check(tally(decoder, bytes, \ListedProduct.id), of: body)
            case .numbers: try check(tally(decoder, bytes, \Int.self), of: body)
            case .pairs: try check(tally(decoder, bytes, \[Int].first), of: body)
            case .events: try check(tallyOfEvents(decoder, body), of: body)
            case .multipart, .download: throw UnexpectedResult(description: "\(task.name) has no elements")
            }
            return Outcome(bytes: body.length)
        }
    }

    private func tally<Element: Decodable & Sendable>(
        _ decoder: WaybillJSONDecoder,
        _ bytes: Data,
        _ number: (Element) -> Int?
    ) throws -> StreamTally {
        let list = try decoder.decode(StreamedList<Element>.self, from: bytes)
        var tally = StreamTally()
        for element in list.data { tally.add(number(element) ?? -1) }
        return tally
    }

    /// Decodes the data of each event, extracted beforehand.
    private func tallyOfEvents(_ decoder: WaybillJSONDecoder, _ body: StreamBody) throws -> StreamTally {
        let data = (0..<body.elements.count / body.count).map { Data(ListedProduct.json($0).utf8) }
        var tally = StreamTally()
        for _ in 0..<body.count {
            for each in data { tally.add(try decoder.decode(ListedProduct.self, from: each).id) }
        }
        return tally
    }
}

extension StreamBody {
    /// The whole body.
    fileprivate var bytes: Data {
        var bytes = Data(capacity: length)
        bytes.append(opening)
        for _ in 0..<count { bytes.append(block) }
        bytes.append(closing)
        return bytes
    }
}

/// A list in its envelope, for decoding a body as a whole.
struct StreamedList<Element: Decodable & Sendable>: Decodable, Sendable {
    let data: [Element]
}
