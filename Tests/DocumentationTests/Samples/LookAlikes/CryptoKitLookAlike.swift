#if !canImport(CryptoKit)
    import Foundation
    import Waybill

    /// The parts of CryptoKit's `SHA256` that the samples use, declared as there.
    nonisolated enum SHA256 {
        static func hash(data: Data) -> [UInt8] { Waybill.SHA256.hash(data) }
    }
#endif
