#if !canImport(CryptoKit)
    import Foundation
    import WaybillFiles

    /// The parts of CryptoKit's `SHA256` that the samples use, with the same declarations.
    nonisolated enum SHA256 {
        static func hash(data: Data) -> [UInt8] { WaybillFiles.SHA256.hash(data) }
    }
#endif
