/// A listener that accepts a server's connections and owns their threads.
struct LoopbackListener: Sendable {
    let socket: Socket
    let context: LoopbackContext
    /// The waker that each connection's thread signals before it ends.
    let ended: Waker

    private let finished = Monitor<[Int]>([])

    /// Accepts connections until the server stops, then waits for every connection's thread to end.
    func run() {
        var threads: [Int: JoinableThread] = [:]
        var isListening = true
        while true {
            let isFull = threads.count >= context.maximumConnections
            let ready = Descriptor.wait(
                [(context.stop.signal, .reading), (ended.signal, .reading)]
                    + (isListening && !isFull ? [(socket.descriptor, .reading)] : []),
                // Retries every 10 ms if the system cannot accept connections, for example if it is out of descriptors.
                milliseconds: isListening ? nil : 10
            )
            if ready[0] { break }
            if ready[1] { join(&threads) }
            isListening = ready.count < 3 || !ready[2] || accept(&threads)
        }
        for thread in threads.values { thread.join() }
    }

    private func join(_ threads: inout [Int: JoinableThread]) {
        ended.reset()
        let numbers = finished.update { numbers in
            defer { numbers = [] }
            return numbers
        }
        for number in numbers { threads.removeValue(forKey: number)?.join() }
    }

    /// Accepts pending connections up to the limit; returns false if the system cannot accept any more.
    private func accept(_ threads: inout [Int: JoinableThread]) -> Bool {
        do {
            while threads.count < context.maximumConnections, let descriptor = try socket.acceptConnection() {
                let number = context.connections.update { connections in
                    connections.accepted += 1
                    connections.open += 1
                    return connections.accepted
                }
                do {
                    threads[number] = try JoinableThread { serve(descriptor, number: number) }
                } catch {
                    Socket.discard(descriptor)
                    context.connections.update { $0.open -= 1 }
                }
            }
            return true
        } catch {
            return false
        }
    }

    private func serve(_ descriptor: Int32, number: Int) {
        LoopbackConnection.serve(Socket(descriptor), number: number, context: context)
        context.connections.update { $0.open -= 1 }
        finished.update { $0.append(number) }
        ended.wake()
    }
}
