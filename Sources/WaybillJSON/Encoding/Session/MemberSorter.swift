/// The members of open objects while keys are sorted.
///
/// If all keys of an object are cases of one type, the object is sorted when it ends, by moving its members' texts. Any
/// other object remains unsorted, and ``JSONRewriter`` then sorts the whole document in a second pass, which is several
/// times slower.
struct MemberSorter {
    /// A member of an open object.
    struct Member {
        /// The offset of the member in the output, including its comma.
        let start: Int
        /// The index of the key in the names of its key type.
        let key: Int
    }

    /// The maximum number of keys of a type.
    private static let maximumKeys = 256

    /// Whether keys are sorted.
    private(set) var isEnabled = false
    /// Whether any object has remained unsorted.
    private(set) var isUnsorted = false
    /// The members of all open objects, ending with those of the innermost one.
    private var members = UnsafeMutablePointer<Member>.allocate(capacity: 16)
    private(set) var memberCount = 0
    private var memberCapacity = 16
    /// The position of each key's member in an object, starting at 1; all 0 while no object is being sorted.
    private let positions = UnsafeMutablePointer<UInt16>.allocate(capacity: maximumKeys)
    /// The sorted members of an object.
    private var sorted = OutputMemory.allocate(EncodingState.slack)
    private var sortedCapacity = 0
    /// The number of bytes moved so far in the document.
    private var movedCount = 0

    init() { positions.initialize(repeating: 0, count: Self.maximumKeys) }

    /// Frees the memory.
    func deallocate() {
        members.deallocate()
        positions.deallocate()
        OutputMemory.deallocate(sorted)
    }

    /// Frees excess memory after a large object.
    mutating func shrink(to bytes: Int) {
        guard sortedCapacity > bytes else { return }
        sortedCapacity = 0
        sorted = OutputMemory.resize(sorted, to: EncodingState.slack)
    }

    /// Begins a document.
    mutating func begin(isEnabled: Bool) {
        self.isEnabled = isEnabled
        isUnsorted = false
        memberCount = 0
        movedCount = 0
    }

    /// Adds a member to the innermost object.
    @inline(__always)
    mutating func append(key: Int, at start: Int) {
        if memberCount == memberCapacity { grow() }
        (members + memberCount).initialize(to: Member(start: start, key: key))
        memberCount &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Member>.allocate(capacity: memberCapacity * 2)
        larger.moveInitialize(from: members, count: memberCount)
        members.deallocate()
        members = larger
        memberCapacity *= 2
    }

    /// Removes the members that begin at or after the given offset.
    mutating func removeMembers(from offset: Int) {
        while memberCount > 0, members[memberCount - 1].start >= offset { memberCount -= 1 }
    }

    /// Ends an object without sorting it.
    ///
    /// - Parameter first: the index of its first member.
    mutating func leaveUnsorted(_ first: Int) {
        isUnsorted = isEnabled
        memberCount = first
    }

    /// Sorts the members of the innermost object, which is at the end of the output.
    ///
    /// - Parameters:
    ///   - first: the index of its first member.
    ///   - keys: the keys of the type in sorted order.
    ///   - bytes: the output.
    ///   - count: the length of the output.
    mutating func sort(_ first: Int, by keys: [Int], in bytes: UnsafeMutablePointer<UInt8>, _ count: Int) {
        let object = UnsafePointer(members + first)
        let memberCount = self.memberCount &- first
        self.memberCount = first
        guard memberCount > 1 else { return }
        guard find(object, memberCount) else {
            isUnsorted = true
            return
        }
        let start = object[0].start
        movedCount &+= count &- start
        // Moving the members of deeply nested objects repeatedly would take more than linear time.
        let isTooLong = movedCount > 8 &* count &+ 65_536
        if isTooLong || isSorted(by: keys) {
            if isTooLong { isUnsorted = true } else { movedCount &-= count &- start }
            for index in 0..<memberCount { positions[object[index].key] = 0 }
            return
        }
        if sortedCapacity < count &- start { reserve(count &- start) }
        var target = sorted
        for key in keys {
            let position = Int(positions[key])
            guard position > 0 else { continue }
            positions[key] = 0
            // Only the first member in the output has no comma.
            let textStart = position == 1 ? start : object[position &- 1].start &+ 1
            let textEnd = position == memberCount ? count : object[position].start
            target.pointee = UInt8(ascii: ",")
            target = Self.copy(bytes + textStart, textEnd &- textStart, to: target + 1)
        }
        // The comma before the first member in `sorted` is not part of the object.
        (bytes + start).update(from: sorted + 1, count: count &- start)
    }

    /// Sets the positions of an object's members; returns false if a key is repeated.
    private func find(_ object: UnsafePointer<Member>, _ count: Int) -> Bool {
        var isUnique = true
        for index in 0..<count {
            let key = object[index].key
            if positions[key] != 0 { isUnique = false }
            positions[key] = UInt16(truncatingIfNeeded: index &+ 1)
        }
        if !isUnique { for index in 0..<count { positions[object[index].key] = 0 } }
        return isUnique
    }

    /// Whether the members of the object with ``positions`` are in order.
    private func isSorted(by keys: [Int]) -> Bool {
        var last: UInt16 = 0
        for key in keys where positions[key] != 0 {
            guard positions[key] > last else { return false }
            last = positions[key]
        }
        return true
    }

    /// Copies a text; up to 15 bytes after it are overwritten.
    ///
    /// - Returns: the end of the copy.
    @inline(__always)
    private static func copy(
        _ source: UnsafeMutablePointer<UInt8>,
        _ count: Int,
        to target: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        if count > 256 {
            target.update(from: source, count: count)
        } else {
            var offset = 0
            while offset < count {
                let block = UnsafeRawPointer(source + offset).loadUnaligned(as: SIMD2<UInt64>.self)
                UnsafeMutableRawPointer(target + offset).storeBytes(of: block, as: SIMD2<UInt64>.self)
                offset &+= 16
            }
        }
        return target + count
    }

    @inline(never)
    private mutating func reserve(_ count: Int) {
        sortedCapacity = max(2 * sortedCapacity, count)
        sorted = OutputMemory.resize(sorted, to: sortedCapacity + EncodingState.slack)
    }
}

extension UnsafeMutablePointer<EncodingState> {
    /// Sorts the members of an object at its end.
    @inline(never)
    func sortMembers(of slot: UnsafeMutablePointer<ValueSlot>) {
        let first = slot.pointee.firstMember
        if slot.pointee.isSorted || slot.pointee.isEmpty { return }
        guard let keyType = slot.pointee.onlyKeyType, !slot.pointee.isMerged, pointee.segments.isEmpty else {
            return pointee.sorter.leaveUnsorted(first)
        }
        keyType.pointee.sortBits()
        pointee.sorter.sort(first, by: keyType.pointee.sortedBits, in: pointee.bytes, pointee.count)
    }
}
