// What Waybill uses of Network.

import Dispatch

// developer.apple.com/documentation/network/nwpath
public struct NWPath: Sendable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }

    public var status: Status { .satisfied }
}

// developer.apple.com/documentation/network/nwpathmonitor
@available(macOS 10.14, *)
public final class NWPathMonitor: Sendable {
    public init() {}

    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { nil }
        set {}
    }

    public var currentPath: NWPath { NWPath() }

    public func start(queue: DispatchQueue) {}
}
