/// A search for existing keys that resemble a missing one.
package enum SimilarKeys {
    /// Returns the key that is most similar to a missing one; nil if none is similar.
    ///
    /// A key that differs only in case, `_` and `-` is preferred. Otherwise, the key with the smallest edit distance
    /// wins; ties go to the first key. The distance must be at most two or a third of the length, whichever is larger,
    /// and less than half the length. Only the first 10,000 keys are considered, and keys of more than 100 characters
    /// are ignored.
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

    /// Returns the keys for which a missing one may be a misspelling, most similar first.
    ///
    /// These are the keys within an edit distance of two and, optionally, those where one is a prefix of the other. The
    /// search is narrower than ``nearest(to:among:)``, because some keys look similar but differ in meaning, such as
    /// `nextSyncToken` and `nextPageToken`.
    ///
    /// - Parameters:
    ///   - missing: the missing key.
    ///   - keys: the existing keys.
    ///   - includesExtensions: whether to include keys that are a prefix of the missing one or begin with it.
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
            // Shorter words are prefixes of too many other words.
            if includesExtensions, shorter.count >= 4, longer.starts(with: shorter) { found.append((key, difference)) }
        }
        // The sort is stable: equally similar keys keep their order.
        return found.enumerated().sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
            .map(\.element.key)
    }

    /// Returns the number of insertions, deletions, replacements and swaps of adjacent characters between two texts.
    ///
    /// This is the restricted Damerau–Levenshtein distance, which edits each position at most once.
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

/// Comparison of keys regardless of spelling, as in `next_page`, `nextPage` and `Next-Page`.
package enum KeySpelling {
    /// Returns a key in lowercase without `_` and `-`, which is equal for all spellings of one key.
    package static func folded(_ key: String) -> String {
        let isPlain = key.utf8.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) }
        return isPlain ? key : key.lowercased().filter { $0 != "_" && $0 != "-" }
    }
}
