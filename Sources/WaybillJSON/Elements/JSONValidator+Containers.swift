extension JSONValidator {
    /// Opens a container; returns false if it is nested too deep.
    mutating func open(object: Bool) -> Bool {
        guard depth < maximumDepth else { return false }
        if depth >> 6 == containers.count { containers.append(0) }
        let bit: UInt64 = 1 << UInt64(depth & 63)
        if object { containers[depth >> 6] |= bit } else { containers[depth >> 6] &= ~bit }
        depth += 1
        isObject = object
        state = object ? .firstKey : .firstElement
        return true
    }

    /// Closes the innermost container.
    mutating func close(_ index: inout Int) -> Event? {
        index += 1
        depth -= 1
        isObject = depth > 0 && containers[(depth - 1) >> 6] >> UInt64((depth - 1) & 63) & 1 == 1
        return endValue()
    }
}
