import Waybill

extension CallEvent.CacheUse {
    /// The name of the case, for test tables.
    var name: String {
        switch self {
        case .fresh: "fresh"
        case .stale: "stale"
        case .revalidated: "revalidated"
        case .shared: "shared"
        }
    }
}
