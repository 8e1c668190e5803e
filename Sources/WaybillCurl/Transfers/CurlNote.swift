#if os(Linux)
    /// A statement of libcurl's information about a stream of HTTP/2 or HTTP/3.
    ///
    /// libcurl sends a request again if the server states that it has not processed it (RFC 9113, sections 6.8 and 8.7;
    /// RFC 9114, section 4.1.1), and also if the connection has only died. Only its verbose messages distinguish the
    /// two. Versions 7.81 to 8.23 have these texts; with others, a request that is not idempotent is sent once.
    enum CurlNote: Equatable {
        /// The request is on a stream.
        case stream(Int)
        /// The connection ends, and streams after the last one are not processed.
        case goAway(lastStream: Int)
        /// The server has not processed the request.
        case rejection
        /// The connection is left, and the request is sent again.
        case repetition

        /// Reads a line of the information; nil if it says something else.
        init?(_ line: String) {
            if line.hasPrefix("Using Stream ID: ") || Self.isOpening(line) {
                guard let number = Self.number(in: line) else { return nil }
                self = .stream(number)
            } else if line.hasPrefix("received GOAWAY, ") || line.hasPrefix("recveived GOAWAY, ") {
                guard let place = line.firstRange(of: "last_stream="),
                    let number = Self.number(in: line[place.upperBound...])
                else { return nil }
                self = .goAway(lastStream: number)
            } else if line.hasPrefix("REFUSED_STREAM, ") || Self.isRejection(line) {
                self = .rejection
            } else if line.hasPrefix("Connection died, retrying") {
                self = .repetition
            } else {
                return nil
            }
        }

        /// Whether a line of version 8 says that a stream was opened: `[HTTP/2] [1] OPENED stream for …`.
        private static func isOpening(_ line: String) -> Bool {
            let words = line.split(separator: " ", maxSplits: 3)
            return words.count > 2 && words[0] == "[HTTP/2]" && words[2] == "OPENED"
        }

        /// Whether a line says that a stream was rejected; lines about fields have the fields' texts, and begin with a
        /// bracket.
        private static func isRejection(_ line: String) -> Bool {
            let isStream = line.hasPrefix("HTTP/2 stream ") || line.hasPrefix("HTTP/3 stream ")
            return isStream && line.contains(" refused by server")
        }

        /// Returns the first number that is not part of a word.
        private static func number(in text: some StringProtocol) -> Int? {
            let parts = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "/")) }
            return parts.lazy.compactMap { Int($0) }.first
        }
    }

    /// The ends of a connection, which no other connection has while it is open.
    struct CurlConnectionEnds: Hashable {
        let remote: String
        let remotePort: Int32
        let local: String
        let localPort: Int32
    }

    extension CurlTransfer {
        /// Takes note of the information about its stream, or about the connection that it reads.
        func note(_ line: String) {
            guard let note = CurlNote(line) else { return }
            switch note {
            case .stream(let number):
                loopState.stream = number
                guard let ends = loopState.ends, let last = loop?.lastStreams[ends] else { return }
                if number > last { loopState.isUnprocessed = true }
            case .goAway(let last):
                guard let ends = loopState.ends else { return }
                loop?.end(ends, lastStream: last)
            case .rejection: loopState.isUnprocessed = true
            // Messages about the next connection are not about this one.
            case .repetition: loopState.listen(false)
            }
        }
    }

    extension CurlTransfer.LoopState {
        /// Begins or ends the information about the transfer.
        func listen(_ isOn: Bool) {
            if case .inFlight(let handle) = admission { handle.setVerbose(isOn) }
        }

        /// Resets the state of an unprocessed request, for another attempt with a new handle.
        mutating func beginAgain() {
            var fresh = Self()
            (fresh.slot, fresh.index, fresh.isTouched) = (slot, index, isTouched)
            fresh.repetitions = repetitions + 1
            self = fresh
        }
    }

    extension CurlLoop {
        /// Records that a connection ends, and which of its requests the server has not processed.
        fileprivate func end(_ ends: CurlConnectionEnds, lastStream last: Int) {
            guard ends.localPort > 0 else { return }
            lastStreams[ends] = last
            for transfer in transfers where transfer.loopState.ends == ends {
                if let stream = transfer.loopState.stream, stream > last { transfer.loopState.isUnprocessed = true }
            }
        }

        /// Forgets what was recorded about the connection of a socket: another one may have the same ends.
        func forgetLastStream(of socket: Int32) {
            guard !lastStreams.isEmpty else { return }
            let port = CurlHandle.localPort(of: socket)
            lastStreams = lastStreams.filter { $0.key.localPort != port }
        }
    }
#endif
