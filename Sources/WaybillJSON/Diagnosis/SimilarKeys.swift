/// The search for the key of an object that was probably meant by a missing one.
package enum SimilarKeys {
    /// Returns the key that is most similar to a missing one; nil if none is similar.
    ///
    /// A key that differs in case, `_` and `-` alone comes first. Else it is the one with the smallest edit distance,
    /// and of several the first, as long as at most two characters or a third of them differ, and fewer than half.
    /// Only keys of at most 100 characters, and only the first 10,000 of them, are considered.
    package static func nearest(to missing: String, among keys: [String]) -> String? {
        let target = Array(KeySpelling.folded(missing))
        guard !target.isEmpty, target.count <= 100 else { return nil }
        var nearest: (key: String, distance: Int)?
        for key in keys.prefix(10_000) where key.utf8.count <= 400 {
            let candidate = Array(KeySpelling.folded(key))
            let length = max(target.count, candidate.count)
            let limit = min(max(2, length / 3), (length - 1) / 2, (nearest?.distance ?? .max) - 1)
            guard candidate.count <= 100, abs(candidate.count - target.count) <= limit else { continue }
            let distance = editDistance(target, candidate)
            guard distance <= limit else { continue }
            if distance == 0 { return key }
            nearest = (key, distance)
        }
        return nearest?.key
    }

    /// Returns the keys that a missing one misspells, the most similar first: those that differ from it by at most two
    /// edits, and those that begin with it or that it begins with.
    ///
    /// It is narrower than ``nearest(to:among:)``, for names whose similarity is itself the error: `nextSyncToken` does
    /// not stand for `nextPageToken`.
    ///
    /// - Parameters:
    ///   - missing: the missing key.
    ///   - keys: the keys that are there.
    ///   - includesExtensions: whether a key counts that begins with the missing one, or the other way round.
    /// - Returns: the keys.
    package static func misspellings(
        of missing: String,
        among keys: [String],
        includesExtensions: Bool = true
    ) -> [String] {
        let target = Array(KeySpelling.folded(missing))
        guard !target.isEmpty, target.count <= 100 else { return [] }
        var found: [(key: String, distance: Int)] = []
        for key in keys.prefix(10_000) where key.utf8.count <= 400 {
            let candidate = Array(KeySpelling.folded(key))
            let (shorter, longer) = candidate.count < target.count ? (candidate, target) : (target, candidate)
            let difference = longer.count - shorter.count
            let limit = min(2, (longer.count - 1) / 2)
            if difference <= limit {
                let distance = editDistance(target, candidate)
                if distance <= limit {
                    found.append((key, distance))
                    continue
                }
            }
            // Shorter words begin too many others.
            if includesExtensions, shorter.count >= 4, longer.starts(with: shorter) { found.append((key, difference)) }
        }
        // Stable: of equally similar keys the first comes first.
        return found.enumerated().sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
            .map(\.element.key)
    }

    /// Returns the number of characters that have to be inserted, removed, replaced or swapped with their neighbour to
    /// get from one to the other (Damerau and Levenshtein, each place edited once).
    package static func editDistance(_ left: [Character], _ right: [Character]) -> Int {
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for i in 1...left.count {
            var current = [i]
            current.reserveCapacity(right.count + 1)
            for j in 1...right.count {
                let isEqual = left[i - 1] == right[j - 1]
                var distance = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (isEqual ? 0 : 1))
                if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
                    distance = min(distance, beforePrevious[j - 2] + 1)
                }
                current.append(distance)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[right.count]
    }
}

/// One key in its several spellings: `next_page`, `nextPage` and `Next-Page`.
package enum KeySpelling {
    /// Returns the key without regard to case, `_` and `-`: equal for all spellings of one key.
    package static func folded(_ key: String) -> String {
        let isPlain = key.utf8.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) }
        return isPlain ? key : key.lowercased().filter { $0 != "_" && $0 != "-" }
    }
}
