#if os(Linux)
    /// A verbose message from libcurl about an HTTP/2 or HTTP/3 stream.
    ///
    /// libcurl resends a request if the server signals that it did not process it (RFC 9113, sections 6.8 and 8.7; RFC
    /// 9114, section 4.1.1), but also if the connection was merely lost. Only verbose messages distinguish these cases.
    /// Versions 7.81 to 8.23 use these texts; with other versions, a request that is not idempotent is sent only once.
    enum CurlStreamMessage: Equatable {
        /// The request was assigned a stream.
        case stream(Int)
        /// The server is closing the connection and will not process streams after the last one.
        case goAway(lastStream: Int)
        /// The server did not process the request.
        case rejection
        /// libcurl is resending the request on another connection.
        case retry

        /// Parses a message; returns nil if it is about something else.
        init?(_ line: String) {
            if line.hasPrefix("Using Stream ID: ") || Self.isOpening(line) {
                guard let number = Self.number(in: line) else { return nil }
                self = .stream(number)
            } else if line.hasPrefix("received GOAWAY, ") || line.hasPrefix("recveived GOAWAY, ") {
                guard let range = line.firstRange(of: "last_stream="),
                    let number = Self.number(in: line[range.upperBound...])
                else { return nil }
                self = .goAway(lastStream: number)
            } else if line.hasPrefix("REFUSED_STREAM, ") || Self.isRejection(line) {
                self = .rejection
            } else if line.hasPrefix("Connection died, retrying") {
                self = .retry
            } else {
                return nil
            }
        }

        /// Whether a message of libcurl 8 reports a new stream: `[HTTP/2] [1] OPENED stream for …`.
        private static func isOpening(_ line: String) -> Bool {
            let words = line.split(separator: " ", maxSplits: 3)
            return words.count > 2 && words[0] == "[HTTP/2]" && words[2] == "OPENED"
        }

        /// Whether a message reports a rejected stream.
        ///
        /// Messages that quote header fields start with a bracket, so they never match.
        private static func isRejection(_ line: String) -> Bool {
            let isStream = line.hasPrefix("HTTP/2 stream ") || line.hasPrefix("HTTP/3 stream ")
            return isStream && line.contains(" refused by server")
        }

        /// Returns the first number that is a separate word.
        private static func number(in text: some StringProtocol) -> Int? {
            let parts = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "/")) }
            return parts.lazy.compactMap { Int($0) }.first
        }
    }

    /// The addresses and ports that identify an open connection.
    struct CurlConnectionEnds: Hashable {
        let remote: String
        let remotePort: Int32
        let local: String
        let localPort: Int32
    }

    extension CurlTransfer {
        /// Handles a verbose message about the transfer's stream or connection.
        func handleMessage(_ line: String) {
            guard let message = CurlStreamMessage(line) else { return }
            switch message {
            case .stream(let number):
                loopState.stream = number
                guard let ends = loopState.ends, let last = loop?.lastStreams[ends] else { return }
                if number > last { loopState.isUnprocessed = true }
            case .goAway(let last):
                guard let ends = loopState.ends else { return }
                loop?.end(ends, lastStream: last)
            case .rejection: loopState.isUnprocessed = true
            // Later messages are about the next connection.
            case .retry: loopState.setVerbose(false)
            }
        }
    }

    extension CurlTransfer.LoopState {
        /// Enables or disables libcurl's verbose messages about the transfer.
        func setVerbose(_ isVerbose: Bool) {
            if case .inFlight(let handle) = admission { handle.setVerbose(isVerbose) }
        }

        /// Resets the state of an unprocessed request before it is resent with a new handle.
        mutating func prepareForResending() {
            var fresh = Self()
            (fresh.slot, fresh.index, fresh.isTouched) = (slot, index, isTouched)
            fresh.restartCount = restartCount + 1
            self = fresh
        }
    }

    extension CurlLoop {
        /// Records the last processed stream of a closing connection, and marks requests on later streams as
        /// unprocessed.
        fileprivate func end(_ ends: CurlConnectionEnds, lastStream last: Int) {
            guard ends.localPort > 0 else { return }
            lastStreams[ends] = last
            for transfer in transfers where transfer.loopState.ends == ends {
                if let stream = transfer.loopState.stream, stream > last { transfer.loopState.isUnprocessed = true }
            }
        }

        /// Removes the record of the last stream of a socket's connection, because a later connection may have the same
        /// addresses and ports.
        func forgetLastStream(of socket: Int32) {
            guard !lastStreams.isEmpty else { return }
            let port = CurlHandle.localPort(of: socket)
            lastStreams = lastStreams.filter { $0.key.localPort != port }
        }
    }
#endif
