import Foundation
import TestSupport
import Testing
@testable import WaybillLimits
import WaybillTesting

@testable import Waybill

@Suite("Network monitors", .inTurn, .safetyNet)
struct NetworkMonitorTests {
    @Test("A monitor reports its current state and each change once")
    func changes() async {
        let monitor = NetworkMonitor(isConnected: false)
        var changes = monitor.changes.makeAsyncIterator()
        #expect(await changes.next() == false)
        monitor.update(isConnected: true)
        #expect(await changes.next() == true)
        monitor.update(isConnected: true)
        monitor.update(isConnected: false)
        #expect(await changes.next() == false)
        #expect(!monitor.isConnected)
    }

    @Test("A slow reader gets the latest state")
    func slowReader() async {
        let monitor = NetworkMonitor(isConnected: true)
        var changes = monitor.changes.makeAsyncIterator()
        monitor.update(isConnected: false)
        monitor.update(isConnected: true)
        monitor.update(isConnected: false)
        #expect(await changes.next() == false)
    }

    @Test("A wait ends when a network becomes available, or when its task is cancelled")
    func waits() async throws {
        let monitor = NetworkMonitor(isConnected: true)
        #expect(await monitor.waitUntilConnected())
        monitor.update(isConnected: false)
        let waiting = Task { await monitor.waitUntilConnected() }
        let leaving = Task { await monitor.waitUntilConnected() }
        await waitUntil { monitor.waitingCount == 2 }
        leaving.cancel()
        #expect(await leaving.value == false)
        #expect(monitor.waitingCount == 1)
        monitor.update(isConnected: true)
        #expect(await waiting.value)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            monitor.update(isConnected: false)
            return await monitor.waitUntilConnected()
        }
        #expect(await late.value == false)
        #expect(monitor.waitingCount == 0)
    }

    @Test("A wait continues if the network is lost again before the waiting task resumes")
    func flap() async {
        let monitor = NetworkMonitor(isConnected: false)
        let isOver = Locked(false)
        let waiting = Task {
            defer { isOver.withLock { $0 = true } }
            return await monitor.waitUntilConnected()
        }
        for _ in 0..<20 {
            // The wait may already be over if the task resumed in between.
            await waitUntil { monitor.waitingCount == 1 || isOver.withLock { $0 } }
            monitor.update(isConnected: true)
            monitor.update(isConnected: false)
        }
        monitor.update(isConnected: true)
        #expect(await waiting.value)
    }

    #if os(Linux)
        @Test(
            "The system's monitor follows the kernel's routes",
            .enabled(
                if: ProcessInfo.processInfo.environment["WAYBILL_NETWORK_NAMESPACE"] != nil,
                "it changes the network: run it with WAYBILL_NETWORK_NAMESPACE=1 in a network namespace with a loopback"
            )
        )
        func system() async throws {
            func run(_ command: String) throws {
                let process = Process()
                process.executableURL = URL(filePath: "/bin/sh")
                process.arguments = ["-c", command]
                try process.run()
                process.waitUntilExit()
                try #require(process.terminationStatus == 0, "\(command)")
            }
            let monitor = NetworkMonitor.system
            #expect(!monitor.isConnected)
            for address in ["192.0.2.1/24", "2001:db8::1/64 nodad"] {
                var changes = monitor.changes.makeAsyncIterator()
                #expect(await changes.next() == false)
                try run("ip link add waybill0 type veth peer name waybill1")
                try run("ip link set waybill0 up && ip link set waybill1 up")
                // A link-local address alone does not count as a network.
                #expect(!monitor.isConnected)
                try run("ip address add \(address) dev waybill0")
                #expect(await changes.next() == true)
                try run("ip link set waybill0 down")
                #expect(await changes.next() == false)
                try run("ip link delete waybill0")
                #expect(!monitor.isConnected)
            }
        }
    #endif
}
