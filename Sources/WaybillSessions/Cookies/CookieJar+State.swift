import Waybill
import WaybillSystem

extension CookieJar.State {
    /// All cookies, in creation order.
    var ordered: [CookieJar.Cookie] {
        entries.values.joined().sorted { $0.place < $1.place }.map(\.cookie)
    }

    /// Returns the cookies for a request in sending order, and records their use.
    mutating func matching(_ target: CookieTarget, at date: Date) -> [CookieJar.Cookie] {
        guard count > 0 else { return [] }
        var found: [CookieJar.Entry] = []
        collect(target.host, target, at: date, isHost: true, &found)
        for parent in target.parents { collect(String(parent), target, at: date, isHost: false, &found) }
        found.sort { left, right in
            let (leftLength, rightLength) = (left.cookie.path.utf8.count, right.cookie.path.utf8.count)
            return leftLength == rightLength ? left.place < right.place : leftLength > rightLength
        }
        return found.map(\.cookie)
    }

    private mutating func collect(
        _ domain: String,
        _ target: CookieTarget,
        at date: Date,
        isHost: Bool,
        _ found: inout [CookieJar.Entry]
    ) {
        let key = BytewiseString(domain)
        guard var list = entries[key] else { return }
        uses += 1
        for index in list.indices {
            let cookie = list[index].cookie
            guard isHost || !cookie.isHostOnly, !cookie.isExpired(at: date), target.accepts(cookie) else { continue }
            list[index].lastUse = uses
            found.append(list[index])
        }
        entries[key] = list
    }

    /// Inserts a cookie, replacing the one with the same name, domain and path; an expired cookie only removes that
    /// one.
    mutating func insert(_ cookie: CookieJar.Cookie, at date: Date) {
        let key = BytewiseString(cookie.domain)
        var list = entries[key] ?? []
        uses += 1
        let former = list.firstIndex { $0.cookie.isReplaced(by: cookie) }
        guard !cookie.isExpired(at: date) else {
            guard let former else { return }
            list.remove(at: former)
            replace(key, with: list)
            return
        }
        if let former {
            guard list[former].cookie != cookie else {
                list[former].lastUse = uses
                entries[key] = list
                return
            }
            list[former].cookie = cookie
            list[former].lastUse = uses
        } else {
            list.append(CookieJar.Entry(cookie: cookie, place: nextPlace, lastUse: uses))
            nextPlace += 1
            if list.count > CookieJar.mostOfDomain {
                list.removeAll { $0.cookie.isExpired(at: date) }
                while list.count > CookieJar.mostOfDomain, let index = list.leastNeeded { list.remove(at: index) }
            }
        }
        replace(key, with: list)
        if count > CookieJar.mostOfAll { shrink(at: date) }
    }

    mutating func removeAll(where isRemoved: (CookieJar.Cookie) -> Bool) {
        for (key, list) in entries {
            let kept = list.filter { !isRemoved($0.cookie) }
            if kept.count < list.count { replace(key, with: kept) }
        }
    }

    /// Whether an insecure cookie would hide a `Secure` one (RFC 6265bis, section 5.7, step 15).
    ///
    /// This is the case if their names are equal, their domains are equal or one is a subdomain of the other, and the
    /// new cookie's path is at or below that of the `Secure` one.
    func hasSecureCookie(like cookie: CookieJar.Cookie, at date: Date) -> Bool {
        entries.contains { key, list in
            let domain = key.text
            guard
                domain.hasSameBytes(as: cookie.domain) || domain.hasSuffix(".\(cookie.domain)")
                    || cookie.domain.hasSuffix(".\(domain)")
            else { return false }
            return list.contains {
                $0.cookie.isSecure && !$0.cookie.isExpired(at: date) && $0.cookie.name.hasSameBytes(as: cookie.name)
                    && $0.cookie.matches(path: cookie.path)
            }
        }
    }

    private mutating func shrink(at date: Date) {
        removeAll { $0.isExpired(at: date) }
        while count > CookieJar.mostOfAll {
            let oldest = entries.min { left, right in
                (left.value.map(\.lastUse).min() ?? 0) < (right.value.map(\.lastUse).min() ?? 0)
            }
            guard let key = oldest?.key, var list = oldest?.value,
                let index = list.indices.min(by: { list[$0].lastUse < list[$1].lastUse })
            else { return }
            list.remove(at: index)
            replace(key, with: list)
        }
    }

    private mutating func replace(_ key: BytewiseString, with list: [CookieJar.Entry]) {
        count += list.count - (entries[key]?.count ?? 0)
        entries[key] = list.isEmpty ? nil : list
        changes += 1
    }
}

extension [CookieJar.Entry] {
    /// The index of the entry to drop first: the least recently used one, preferably without `Secure`.
    fileprivate var leastNeeded: Int? {
        let insecure = indices.filter { !self[$0].cookie.isSecure }
        return (insecure.isEmpty ? Swift.Array(indices) : insecure).min { self[$0].lastUse < self[$1].lastUse }
    }
}
