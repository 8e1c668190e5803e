import Foundation
import Waybill

/// The secret values of a file of recordings, as they become known: no exchange of the file may have one of them,
/// before or after the request that sends it.
struct RecordingSecrets: Sendable {
    private var values: [String] = []
    private var known: Set<String> = []

    /// The number of the values; with the same number, nothing new is to be removed.
    var count: Int { values.count }

    /// The fewest characters of a value that is removed from other exchanges than its own.
    ///
    /// A shorter one may be a word of a path or a key. So may a secret name.
    private static let shortestValue = 8

    mutating func formUnion(_ others: Set<String>) {
        let new = others.filter { other in
            other.count >= Self.shortestValue && !known.contains(other) && !SecretNameSet.usual.contains(other)
                && !other.contains(Redaction.mark)
        }
        known.formUnion(new)
        values += new
    }

    /// Returns the values, without the first of them, which have been removed before.
    func names(since count: Int = 0) -> SecretNameSet { SecretNameSet().hiding(values.dropFirst(count)) }
}

extension RecordingSecrets: CustomStringConvertible, CustomReflectable {
    var description: String { Redaction.mark }

    var customMirror: Mirror { Mirror(self, children: []) }
}
